import { ruledName } from '#src/base/lib/valueRules.ts';
import { differingParts } from '#src/base/lib/differingParts.ts';
import { alignedDecimals, meanText } from '#src/base/lib/groupedTable.ts';
import type { Comparison } from './useComparison.ts';
import type { ConfigurationTest, MetricTests } from './usePairedTests.ts';
import { formatCount, formatProbability } from '#web/lib/formatNumber.ts';
import { toNumber } from '#src/base/lib/metricValue.ts';
import { testWords } from '#src/statistics/testWords.ts';
import { comparedGroupLabels } from './comparedLabels.ts';
import { differenceScale } from './differenceScale.ts';
import { judgedTest } from './judgedTest.ts';
import { IntervalCell, verdictClass, VerdictWord } from './TestCells.tsx';
import { UserDistribution } from './users/UserDistribution.tsx';

type Group = Comparison['groups'][number];

export interface VerdictTableProps {
  comparison: Comparison;
  metric: MetricTests;
  perUser: boolean;
}

/** Characters that the column of names has room for. */
const LONGEST_HEAD = 58;

/** One row a configuration, the baseline first, then from best to worst: mean, difference with its interval, verdict. */
export function VerdictTable({ comparison, metric, perUser }: VerdictTableProps) {
  const labels = comparedGroupLabels(comparison);
  const heads = differingParts(labels, LONGEST_HEAD);
  const head = (hash: string) => {
    const index = comparison.groups.findIndex((one) => one.configuration.hash === hash);
    return (
      <th scope="row" title={labels[index]}>
        {heads[index]}
      </th>
    );
  };
  const groupOf = (hash: string) => comparison.groups.find((one) => one.configuration.hash === hash);
  const sign = metric.direction === 'lower' ? 1 : -1;
  const place = ({ mean }: ConfigurationTest) => (mean === null ? Number.POSITIVE_INFINITY : sign * toNumber(mean));
  const tests = [...metric.tests].sort((a, b) => {
    const [x, y] = [place(a), place(b)];
    return x === y ? 0 : x - y;
  });
  const testedBaseline = tests.find(({ baselineMean }) => baselineMean !== null)?.baselineMean ?? null;
  const means = [
    ...comparison.groups.map((group) => metricOf(group, metric.name)?.mean ?? null),
    ...[testedBaseline, ...tests.map(({ mean }) => mean)],
  ];
  const decimals = alignedDecimals(means.map((mean) => (mean === null ? null : toNumber(mean))));
  const scale = differenceScale(
    tests.flatMap(({ test }) => (test === null ? [] : [{ low: toNumber(test.low), high: toNumber(test.high) }])),
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section className="table-scroll compare-scroll" aria-label={`Verdicts in ${metric.name}`} tabIndex={0}>
      <table className="table compare-table verdict-table">
        <thead>
          <tr>
            <th scope="col">Configuration</th>
            <th scope="col" className="number">
              {ruledName('Mean', metric.rules)} ± s.d. (n)
            </th>
            <th scope="col">Verdict</th>
            <th scope="col" className="number">
              p
            </th>
            <th scope="col" className="number">
              Difference
            </th>
            <th scope="col">95 % interval</th>
            <th scope="col" className="number">
              {perUser ? 'Users' : 'Pairs'}
            </th>
            {perUser && <th scope="col">Users below and above</th>}
          </tr>
        </thead>
        <tbody>
          <tr>
            {head(metric.baselineHash)}
            <td className="number">
              <MeanText
                group={groupOf(metric.baselineHash)}
                name={metric.name}
                tested={testedBaseline}
                decimals={decimals}
              />
            </td>
            <td className="muted" colSpan={perUser ? 6 : 5}>
              baseline
            </td>
          </tr>
          {tests.map((one) => (
            <tr key={one.configurationHash}>
              {head(one.configurationHash)}
              <td className="number">
                <MeanText
                  group={groupOf(one.configurationHash)}
                  name={metric.name}
                  tested={one.mean}
                  decimals={decimals}
                />
              </td>
              {one.test === null ? (
                <td className="muted compare-reason" colSpan={perUser ? 6 : 5}>
                  {one.reason}
                </td>
              ) : (
                <VerdictCells one={one} test={one.test} direction={metric.direction ?? null} scale={scale} />
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface VerdictCellsProps {
  one: ConfigurationTest;
  test: NonNullable<ConfigurationTest['test']>;
  direction: 'higher' | 'lower' | null;
  scale: ReturnType<typeof differenceScale>;
}

function VerdictCells({ one, test, direction, scale }: VerdictCellsProps) {
  const judged = judgedTest(one, test, direction);
  return (
    <>
      <td className={verdictClass(judged)}>
        <VerdictWord {...judged} />
      </td>
      <td
        className="number"
        title={one.pHolm === null ? undefined : `After Holm’s correction over ${one.family} tests`}
      >
        {formatProbability(judged.p)}
      </td>
      <td className="number">{judged.difference}</td>
      <IntervalCell judged={judged} scale={scale} />
      <td className="number" title={testWords(test.method, one)}>
        {test.method === 'welch' ? 'none (Welch)' : formatCount(one.n)}
      </td>
      {one.users !== null && (
        <td>
          <UserDistribution users={one.users} />
        </td>
      )}
    </>
  );
}

interface MeanTextProps {
  group: Group | undefined;
  name: string;
  /** The mean over what was tested. */
  tested: ConfigurationTest['mean'];
  /** So that means stand under each other. */
  decimals: number;
}

function metricOf(group: Group | undefined, name: string) {
  return group?.metrics.find((one) => one.name === name);
}

/** Over all runs of the configuration, of which the tests may be of fewer; the tests' own mean of what nobody logged. */
function MeanText({ group, name, tested, decimals }: MeanTextProps) {
  const metric = metricOf(group, name);
  if (metric === undefined)
    return tested === null ? <span className="muted">–</span> : meanText(toNumber(tested), null, decimals);
  const deviation = metric.standardDeviation === null ? null : toNumber(metric.standardDeviation);
  return (
    <>
      {meanText(toNumber(metric.mean), deviation, decimals)} <span className="muted">({metric.n})</span>
    </>
  );
}
