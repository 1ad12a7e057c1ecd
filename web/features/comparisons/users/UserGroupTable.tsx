import { differingParts } from '#src/base/lib/differingParts.ts';
import { toNumber } from '#src/base/lib/metricValue.ts';
import type { Comparison } from '#web/features/comparisons/useComparison.ts';
import type { ConfigurationTest, MetricTests } from '#web/features/comparisons/usePairedTests.ts';
import { formatCount, formatNumber, formatProbability } from '#web/lib/formatNumber.ts';
import { comparedGroupLabels } from '../comparedLabels.ts';
import { differenceScale } from '../differenceScale.ts';
import { judgedTest } from '../judgedTest.ts';
import { IntervalCell, verdictClass, VerdictWord } from '../TestCells.tsx';
import { UserDistribution } from './UserDistribution.tsx';
import { groupLabel } from './userQuestion.ts';

const LONGEST_HEAD = 40;

/** One row a group of users and configuration: how far it is above or below the baseline for them, and for how many of them. */
export function UserGroupTable({ comparison, metrics }: { comparison: Comparison; metrics: readonly MetricTests[] }) {
  const heads = differingParts(comparedGroupLabels(comparison), LONGEST_HEAD);
  const nameOf = (hash: string) =>
    heads[comparison.groups.findIndex(({ configuration }) => configuration.hash === hash)] ?? hash.slice(0, 7);
  const made = metrics.flatMap(({ tests }) => tests.flatMap(({ test }) => (test === null ? [] : [test])));
  const scale = differenceScale(made.map(({ low, high }) => ({ low: toNumber(low), high: toNumber(high) })));
  const metric = metrics[0]?.name.split('/').at(-1) ?? '';
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section className="table-scroll compare-scroll" aria-label={`${metric} by group of users`} tabIndex={0}>
      <table className="table compare-table verdict-table">
        <thead>
          <tr>
            <th scope="col">Users</th>
            <th scope="col">Configuration</th>
            {['Number', 'Baseline', `Mean of ${metric}`, 'Difference'].map((title) => (
              <th scope="col" className="number" key={title}>
                {title}
              </th>
            ))}
            <th scope="col">95 % interval</th>
            <th scope="col">Verdict</th>
            <th scope="col">Users below and above</th>
          </tr>
        </thead>
        <tbody>
          {metrics.flatMap(({ name, direction, tests }) =>
            tests.map((one, index) => (
              <tr key={`${name} ${one.configurationHash}`}>
                {index === 0 && (
                  <th scope="rowgroup" rowSpan={tests.length}>
                    {groupLabel(name)}
                  </th>
                )}
                <td>{nameOf(one.configurationHash)}</td>
                {one.test === null ? (
                  <td className="muted compare-reason" colSpan={7}>
                    {one.reason}
                  </td>
                ) : (
                  <GroupCells one={one} test={one.test} direction={direction ?? null} scale={scale} />
                )}
              </tr>
            )),
          )}
        </tbody>
      </table>
    </section>
  );
}

interface GroupCellsProps {
  one: ConfigurationTest;
  test: NonNullable<ConfigurationTest['test']>;
  direction: 'higher' | 'lower' | null;
  scale: ReturnType<typeof differenceScale>;
}

function GroupCells({ one, test, direction, scale }: GroupCellsProps) {
  const judged = judgedTest(one, test, direction);
  const mean = (value: ConfigurationTest['mean']) => (value === null ? '–' : formatNumber(toNumber(value), 4));
  return (
    <>
      <td className="number">{formatCount(one.n)}</td>
      <td className="number">{mean(one.baselineMean)}</td>
      <td className="number">{mean(one.mean)}</td>
      <td className="number">{judged.difference}</td>
      <IntervalCell judged={judged} scale={scale} />
      <td
        className={verdictClass(judged)}
        title={one.pHolm === null ? undefined : `After Holm’s correction over ${one.family} tests`}
      >
        <VerdictWord {...judged} />, p {formatProbability(judged.p)}
      </td>
      <td>{one.users !== null && <UserDistribution users={one.users} />}</td>
    </>
  );
}
