import { useEffect, useMemo, useState } from 'react';
import type { Comparison } from './useComparison.ts';
import { useChosenTests, type MetricTests } from './usePairedTests.ts';
import { Disclosure } from '#web/components/Disclosure.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { Loading } from '#web/components/Loading.tsx';
import { Segments } from '#web/components/Segments.tsx';
import { usePrimaryMetrics } from '#web/features/metrics/usePrimaryMetrics.ts';
import { metricOrder } from '#web/lib/metricOrder.ts';
import { formatSeedList } from '#src/base/lib/seedList.ts';
import { valuesText } from '#src/base/lib/valueRules.ts';
import { guidesAmong, ValuesChoice } from '../shared/ValuesChoice.tsx';
import { testsLegend } from '#src/statistics/testWords.ts';
import { LEAST_SEEDS } from '#src/statistics/verdict.ts';
import { Button } from '#web/components/Button.tsx';
import { bestGroup } from './bestGroup.ts';
import { comparedGroupLabels } from './comparedLabels.ts';
import { PairedTestTable } from './PairedTestTable.tsx';
import { UserGroupTable } from './users/UserGroupTable.tsx';
import { UserQuestionForm } from './users/UserQuestionForm.tsx';
import { questionOf } from './users/userQuestion.ts';
import { VerdictTable } from './VerdictTable.tsx';
import { Popover } from '#web/components/Popover.tsx';

interface TestedMetricsProps {
  names: readonly string[];
  /** Primary metrics of the kinds that are compared. */
  primary: ReadonlySet<string>;
  chosen: readonly string[];
  onChange(names: string[]): void;
}

/** The API tests no more at once. */
const MOST_CHOSEN = 20;
const MOST_LISTED = 100;

/** Chooses the metrics that are tested. */
function TestedMetrics({ names, primary, chosen, onChange }: TestedMetricsProps) {
  const [wanted, setWanted] = useState('');
  const words = wanted.toLowerCase().split(/\s+/);
  const matches = names
    .filter((name) => words.every((word) => name.toLowerCase().includes(word)))
    .sort(metricOrder(names, primary));
  const toggle = (name: string) =>
    onChange(chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen, name]);
  return (
    <div className="spread">
      <Popover label={`Metrics (${chosen.length})`} title="Tested metrics">
        <div className="stack compare-choice">
          <input
            className="input"
            type="search"
            aria-label="Find tested metrics"
            placeholder="Find metrics"
            value={wanted}
            onChange={(event) => setWanted(event.target.value)}
          />
          <fieldset className="stack compare-choices" aria-label="Metrics">
            {matches.slice(0, MOST_LISTED).map((name) => (
              <label className="check" key={name}>
                <input
                  type="checkbox"
                  checked={chosen.includes(name)}
                  disabled={chosen.length >= MOST_CHOSEN && !chosen.includes(name)}
                  onChange={() => toggle(name)}
                />
                {name}
              </label>
            ))}
            {matches.length > MOST_LISTED && (
              <p className="muted">and {matches.length - MOST_LISTED} more: type a part of the name</p>
            )}
          </fieldset>
        </div>
      </Popover>
    </div>
  );
}

interface BestMeanProps {
  comparison: Comparison;
  metric: MetricTests;
  /** Tests the others against the configuration of a run. */
  onBaseline(runId: string): void;
}

/** Which configuration has the best mean, where that is not the baseline, and whether it is so at one press. */
function BestMean({ comparison, metric, onBaseline }: BestMeanProps) {
  const index = bestGroup(comparison, metric);
  const best = index === null ? undefined : comparison.groups[index];
  const runId = best?.runIds[0];
  if (index === null || runId === undefined || best?.configuration.hash === metric.baselineHash) return null;
  return (
    <p className="panel-body row compare-best-mean">
      <span>
        <strong>{comparedGroupLabels(comparison)[index]}</strong> has the best mean.
      </span>
      <Button onClick={() => onBaseline(runId)}>Test the others against it</Button>
    </p>
  );
}

export interface PairedTestsChoice {
  /** Id or number of a run of the baseline; null for the first run. */
  baseline: string | null;
  /** Null for the primary metrics of the kinds. */
  metrics: readonly string[] | null;
  /** Over users instead of seeds; null: whichever says something. */
  perUser: boolean | null;
}

export interface PairedTestsProps {
  ids: readonly string[];
  comparison: Comparison;
  choice: PairedTestsChoice;
  /** Which value of each run counts, as the address has it. */
  value: string | undefined;
  onValue(value: string | undefined): void;
  onChoice(choice: PairedTestsChoice): void;
  /** Told what is paired, which without a word is found out. */
  onPaired(perUser: boolean): void;
}

type Group = Comparison['groups'][number];
type Pairs = 'seeds' | 'users';

/** Whether each configuration is better than a chosen one: tests over seeds, or over users. */
export function PairedTests({ ids, comparison, choice, value, onValue, onChoice, onPaired }: PairedTestsProps) {
  const { groups, runs } = comparison;
  const chosen = runs.find(({ id, number }) => choice.baseline === id || choice.baseline === String(number)) ?? runs[0];
  const baseline = groups.find(({ runIds }) => chosen !== undefined && runIds.includes(chosen.id));
  // one configuration is compared with itself: its later seeds with its first
  const enough = (groups.length > 1 || runs.length > 1) && baseline !== undefined;
  const { metrics } = choice;
  const input = { ids, metrics, value, baseline: baseline?.runIds[0] ?? '' };
  const { perUser, data, error, refetch, isPlaceholderData } = useChosenTests(input, {
    enough,
    wanted: choice.perUser,
    // seeds alone say nothing of one, and of three or more users say more
    mayBeUsers:
      groups.every(({ seeds }) => seeds.length === 1) ||
      groups.every(({ seeds }) => new Set(seeds).size >= LEAST_SEEDS),
  });
  useEffect(() => onPaired(perUser), [perUser, onPaired]);
  const [wanted, setWanted] = useState<string | null>(null);
  const primary = usePrimaryMetrics(comparison.runs);
  const labels = useMemo(() => comparedGroupLabels(comparison), [comparison]);
  const names = data?.tests.map(({ name }) => name) ?? [];
  const [first] = names.toSorted(metricOrder(names, primary));
  const shown = data?.tests.find(({ name }) => name === wanted) ?? data?.tests.find(({ name }) => name === first);
  const asked = perUser && data?.perUser === true ? questionOf(data.tests.map(({ name }) => name)) : null;
  const byGroup = asked !== null && asked.by !== 'none';

  return (
    <section className="panel" aria-labelledby="tests-title" aria-busy={isPlaceholderData}>
      <div className="panel-head">
        <h2 id="tests-title">Which is better</h2>
        {enough && (
          <>
            {data !== undefined && data.tests.length > 1 && !byGroup && (
              <label className="row">
                Metric
                <select className="input" value={shown?.name} onChange={(event) => setWanted(event.target.value)}>
                  {data.tests.map(({ name }) => (
                    <option key={name}>{name}</option>
                  ))}
                </select>
              </label>
            )}
            {data?.tests.length === 1 && <code>{shown?.name}</code>}
            <label className="row compare-baseline">
              Baseline
              <select
                className="input"
                value={baseline.runIds[0]}
                onChange={(event) => onChoice({ ...choice, baseline: numberOf(comparison, event.target.value) })}
              >
                {groups.map((group, index) => (
                  <option key={group.configuration.hash} value={group.runIds[0]}>
                    {optionText(comparison, group, labels[index]!)}
                  </option>
                ))}
              </select>
            </label>
            <Segments<Pairs>
              label="What is paired"
              options={[
                { value: 'seeds', label: 'Seeds' },
                { value: 'users', label: 'Users' },
              ]}
              value={perUser ? 'users' : 'seeds'}
              onChange={(pairs) =>
                onChoice({ ...choice, metrics: knownTo(comparison, metrics), perUser: pairs === 'users' })
              }
            />
            {!perUser && (
              <ValuesChoice
                {...{ value, onChange: onValue }}
                guides={guidesAmong(comparison.metrics.map(({ name }) => name))}
                hasRules={comparison.metrics.some(({ rules }) => rules.some((rule) => rule !== 'last'))}
              />
            )}
            <TestedMetrics
              primary={primary}
              names={comparison.metrics.map(({ name }) => name)}
              chosen={metrics ?? data?.tests.map(({ name }) => name) ?? []}
              onChange={(names) => onChoice({ ...choice, metrics: names.length === 0 ? null : names })}
            />
          </>
        )}
      </div>
      {enough && perUser && (
        <UserQuestionForm asked={asked} onAsk={(names) => onChoice({ ...choice, metrics: names })} />
      )}
      {error !== null && <ErrorNotice title="The tests cannot be made." error={error} onRetry={() => void refetch()} />}
      {enough && data === undefined && error === null && <Loading what="tests" lines={3} />}
      {data !== undefined && shown !== undefined && error === null && enough && (
        <>
          {shown.chosenOnTest && (
            <p className="notice">
              <strong>Chosen on the test data</strong>: these are the {valuesText(shown.rules)}, so that the verdict
              says nothing about new data. Choose the step by a metric of the validation data.
            </p>
          )}
          {byGroup ? (
            <UserGroupTable comparison={comparison} metrics={data.tests} />
          ) : (
            <VerdictTable comparison={comparison} metric={shown} perUser={data.perUser} />
          )}
          {!byGroup && (
            <BestMean
              {...{ comparison }}
              metric={shown}
              onBaseline={(runId) => onChoice({ ...choice, baseline: numberOf(comparison, runId) })}
            />
          )}
          <div className="panel-body compare-legend">
            <Disclosure
              title="All figures of the tests"
              note={data.tests.length === 1 ? 'one metric' : `${data.tests.length} metrics`}
            >
              <PairedTestTable comparison={comparison} metrics={data.tests} perUser={data.perUser} />
              <p className="muted">{testsLegend(data.perUser)}</p>
            </Disclosure>
          </div>
        </>
      )}
    </section>
  );
}

/** Those of the metrics that were logged: nothing else can be tested over seeds. Null where none is left. */
function knownTo(comparison: Comparison, metrics: readonly string[] | null): string[] | null {
  const known = metrics?.filter((name) => comparison.metrics.some((metric) => metric.name === name)) ?? [];
  return known.length === 0 ? null : known;
}

function numberOf({ runs }: Comparison, runId: string): string | null {
  const run = runs.find(({ id }) => id === runId);
  return run === undefined ? null : String(run.number);
}

function optionText({ runs }: Comparison, { runIds, seeds }: Group, label: string): string {
  const run = runs.find(({ id }) => id === runIds[0]);
  const word = seeds.length === 1 ? 'seed' : 'seeds';
  return `#${run?.number ?? ''} ${label} · ${word} ${formatSeedList(seeds)}`;
}
