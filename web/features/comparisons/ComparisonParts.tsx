import type { Comparison, ComparedRun } from './useComparison.ts';
import { useMayWrite } from '#web/features/administration/useServer.ts';
import { Disclosure } from '#web/components/Disclosure.tsx';
import { readList, writeList } from '#web/lib/listInUrl.ts';
import { ComparedCurves } from './ComparedCurves.tsx';
import { lazy, Suspense } from 'react';
import { Loading } from '#web/components/Loading.tsx';
import { isLive } from '#web/lib/runStates.ts';
import { runLabels } from '../shared/runLabels.ts';
import { Link } from '@tanstack/react-router';
import { seriesStyle } from '#web/charts/seriesStyle.ts';
import { Icon } from '#web/components/Icon.tsx';
import { StateBadge } from '#web/components/StateBadge.tsx';
import { ConfigurationMark } from '../shared/ConfigurationMark.tsx';
import { LineKey } from '../shared/LineKey.tsx';
import type { CompareSearch } from './compareSearch.ts';
import { DecideForm } from './DecideForm.tsx';
import { foldedFields } from './foldedFields.ts';
import { FieldTable, MOST_FIELD_ROWS } from './FieldTable.tsx';
import { MetricTable } from './MetricTable.tsx';
import { PairedTests } from './PairedTests.tsx';
import { ReplicateTable } from './ReplicateTable.tsx';

interface ComparedRunsProps {
  runs: readonly ComparedRun[];
  onRemove(run: ComparedRun): void;
}

/** The runs compared: the legend of all charts, too. */
function ComparedRuns({ runs, onRemove }: ComparedRunsProps) {
  return (
    <ul className="compared" aria-label="Compared runs">
      {runs.map((run, index) => (
        <li className="panel compared-run" key={run.id}>
          <LineKey style={seriesStyle(index)} />
          <Link to="/runs/$runId" params={{ runId: run.id }}>
            #{run.number} {run.name}
          </Link>
          <StateBadge state={run.state} />
          <span className="muted">
            {run.configuration.kind}
            {run.configuration.datasetName !== null && ` · ${run.configuration.datasetName}`} · seed {run.seed}
          </span>
          <ConfigurationMark hash={run.configuration.hash} />
          {runs.length > 1 && (
            <button
              type="button"
              className="button button-quiet button-icon"
              aria-label={`Remove run ${run.number} from the comparison`}
              onClick={() => onRemove(run)}
            >
              <Icon name="close" size={11} />
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}

interface DifferenceTableProps {
  comparison: Comparison;
  /** Shows fields that are the same in all runs, too. */
  all: boolean;
  onAll(all: boolean): void;
}

/** In what configurations, code and environment differ: a column a configuration, its runs together. */
function DifferenceTable({ comparison, all, onAll }: DifferenceTableProps) {
  const { fields, environment, groups } = comparison;
  // the seed tells the runs of one configuration apart, not the configurations
  const told = fields.filter((field) => field.path !== 'seed' || groups.length === 1);
  const different = told.filter((field) => field.differs);
  const shown = all ? fields : different;
  const { rows, folds } = foldedFields(comparison.runs, different);
  const folded = folds.reduce((sum, fold) => sum + fold.fields.length, 0);
  return (
    <section className="panel" aria-labelledby="differences-title">
      <div className="panel-head">
        <h2 id="differences-title">What differs</h2>
        <label className="check">
          <input type="checkbox" checked={!all} onChange={(event) => onAll(!event.target.checked)} />
          Differences only
        </label>
        <span className="muted spread">
          {rows.length} of {told.length} fields differ
          {folded > 0 && `, ${folded} are of some kinds alone`}
        </span>
      </div>
      <FieldTable comparison={comparison} fields={shown} environment={environment} marked={all} />
      {(all ? shown : rows).length > MOST_FIELD_ROWS && (
        <p className="panel-body muted">
          The first {MOST_FIELD_ROWS} of {(all ? shown : rows).length} fields.
        </p>
      )}
    </section>
  );
}

const MediaPanel = lazy(async () => ({ default: (await import('../media/MediaPanel.tsx')).MediaPanel }));

/** More would not stand beside each other. */
const MOST_RUNS = 6;

/** Figures and media of the first runs side by side; read when it is opened. */
function ComparedMedia({ runs }: { runs: readonly ComparedRun[] }) {
  const shown = runs.slice(0, MOST_RUNS);
  const labels = runLabels(runs);
  return (
    <Disclosure title="Media" {...(runs.length > MOST_RUNS ? { note: `of the first ${MOST_RUNS} runs` } : {})}>
      <Suspense fallback={<Loading what="media" />}>
        <MediaPanel
          runs={shown.map((run, index) => ({ id: run.id, label: labels[index]! }))}
          live={shown.some((run) => isLive(run.state))}
        />
      </Suspense>
    </Disclosure>
  );
}

/** So few configurations leave room for two tables beside each other. */
const FEW = 3;
/** Of more runs only what they have together is shown at first. */
const FEW_RUNS = 6;

export interface ComparisonPartsProps {
  ids: readonly string[];
  /** With all metrics. */
  all: Comparison;
  /** With those that are looked for. */
  shown: Comparison;
  search: CompareSearch;
  /** Changes what is shown of the runs. */
  onSearch(change: Partial<CompareSearch>): void;
  /** Changes which runs are compared. */
  onRuns(ids: readonly string[]): void;
  /** Told whether tests are paired over users. */
  onPaired(perUser: boolean): void;
}

/** What can be said of runs together: tests, differences, metrics, media, curves. */
export function ComparisonParts({ ids, all, shown, search, onSearch, onRuns, onPaired }: ComparisonPartsProps) {
  const mayWrite = useMayWrite();
  const replicated = shown.groups.some((group) => group.runIds.length > 1);
  const isFew = shown.runs.length <= FEW_RUNS;
  return (
    <>
      <NotComparable reasons={shown.notComparable} />
      {(all.groups.length > 1 || all.runs.length > 1) && (
        <PairedTests
          ids={ids}
          comparison={all}
          value={search.value}
          onValue={(value) => onSearch({ value })}
          onPaired={onPaired}
          choice={{
            baseline: search.baseline ?? null,
            metrics: search.tested === undefined ? null : readList(search.tested),
            perUser: search.pairs === undefined ? null : search.pairs === 'users',
          }}
          onChoice={({ baseline, metrics, perUser }) =>
            onSearch({
              baseline: baseline ?? undefined,
              tested: metrics === null ? undefined : writeList(metrics),
              pairs: perUser === null ? undefined : perUser ? 'users' : 'seeds',
            })
          }
        />
      )}
      <DifferenceTable
        comparison={shown}
        all={search.fields === 'all'}
        onAll={(isAll) => onSearch({ fields: isAll ? 'all' : undefined })}
      />
      {all.groups.length === 2 && mayWrite && canQueue(all) && (
        <DecideForm comparison={all} metric={readList(search.tested ?? '')[0] ?? null} />
      )}
      <div className={replicated && shown.groups.length <= FEW ? 'compare-columns' : 'page-stack'}>
        {replicated && <ReplicateTable comparison={shown} />}
        {isFew && <MetricTable comparison={shown} />}
      </div>
      {!isFew && (
        <Disclosure title="Metrics of each run" note={`${shown.runs.length} runs`} open={!replicated}>
          <MetricTable comparison={shown} />
        </Disclosure>
      )}
      <Disclosure title="Runs" note={`${shown.runs.length}, each with the color of its curve`} open={isFew}>
        <ComparedRuns
          runs={shown.runs}
          onRemove={(run) => onRuns(ids.filter((id) => id !== run.id && id !== String(run.number)))}
        />
      </Disclosure>
      <ComparedMedia runs={shown.runs} />
      <ComparedCurves
        comparison={shown}
        grouped={search.curves === undefined ? areReplicated(shown) : search.curves === 'replicates'}
        onGrouped={(grouped) => onSearch({ curves: grouped ? 'replicates' : 'runs' })}
      />
    </>
  );
}

/** Whether more seeds of the configurations can be queued: programs that log by themselves are started elsewhere. */
function canQueue({ runs }: Comparison): boolean {
  return runs.every(({ configuration }) => configuration.kind !== 'external');
}

/** Whether curves of configurations tell more than those of so many runs. */
function areReplicated({ groups }: Comparison): boolean {
  return groups.length > 1 && groups.every(({ runIds }) => runIds.length > 1);
}

function NotComparable({ reasons }: { reasons: readonly string[] }) {
  if (reasons.length === 0) return null;
  return (
    <div className="notice">
      <strong>Not comparable, because</strong>
      <ul className="compare-reasons">
        {reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
    </div>
  );
}
