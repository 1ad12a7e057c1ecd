import type { Comparison } from './useComparison.ts';
import type { ConfigurationTest, MetricTests } from './usePairedTests.ts';
import { formatCount, formatNumber, formatProbability } from '#web/lib/formatNumber.ts';
import { toNumber } from '#src/base/lib/metricValue.ts';
import { testWords } from '#src/statistics/testWords.ts';
import { formatSeedList } from '#src/base/lib/seedList.ts';
import { comparedGroupLabels } from './comparedLabels.ts';
import { judgedTest } from './judgedTest.ts';
import { verdictClass, VerdictWord } from './TestCells.tsx';
import { ConfigurationMark } from '../shared/ConfigurationMark.tsx';

export interface PairedTestTableProps {
  comparison: Comparison;
  metrics: readonly MetricTests[];
  perUser: boolean;
}

/** One row per metric and configuration: its difference from the baseline, how sure that is, or why there is no test. */
export function PairedTestTable({ comparison, metrics, perUser }: PairedTestTableProps) {
  const several = metrics.some(({ tests }) => tests.some(({ pHolm }) => pHolm !== null));
  const heads = ['Mean', 'Baseline', 'Difference', '95 % interval', 't (df)', 'p', 'p better'];
  const columns = [...heads, ...(several ? ['p Holm'] : []), 'Wilcoxon p', ...(several ? ['Wilcoxon Holm'] : [])];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section className="table-scroll compare-scroll" aria-label="Tests against the baseline" tabIndex={0}>
      <table className="table compare-table">
        <thead>
          <tr>
            <th scope="col">Metric</th>
            <th scope="col">Configuration</th>
            <th scope="col">Verdict</th>
            <th scope="col" className="number">
              {perUser ? 'Users' : 'Pairs'}
            </th>
            {columns.map((column) => (
              <th scope="col" className="number" key={column}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {metrics.flatMap((metric) =>
            metric.tests.map((one) => (
              <TestRow
                key={`${metric.name} ${one.configurationHash}`}
                {...{ comparison, metric, one, several, columnCount: columns.length }}
              />
            )),
          )}
        </tbody>
      </table>
    </section>
  );
}

interface TestRowProps {
  comparison: Comparison;
  metric: MetricTests;
  one: ConfigurationTest;
  several: boolean;
  columnCount: number;
}

function TestRow({ comparison, metric, one, several, columnCount }: TestRowProps) {
  const group = comparison.groups.findIndex(({ configuration }) => configuration.hash === one.configurationHash);
  const label = comparedGroupLabels(comparison)[group] ?? '';
  const { test } = one;
  return (
    <tr>
      <th scope="row">
        <code>{metric.name}</code>
      </th>
      <td>
        <ConfigurationMark hash={one.configurationHash} /> {label}{' '}
        <span className="muted">
          {one.seeds.length > 0 && `${one.seeds.length === 1 ? 'seed' : 'seeds'} ${formatSeedList(one.seeds)}`}
        </span>
      </td>
      {test === null ? (
        <td className="muted compare-reason" colSpan={columnCount + 2}>
          {one.reason}
        </td>
      ) : (
        <TestCells {...{ one, test, several, direction: metric.direction }} />
      )}
    </tr>
  );
}

interface TestCellsProps {
  one: ConfigurationTest;
  test: NonNullable<ConfigurationTest['test']>;
  several: boolean;
  direction: MetricTests['direction'];
}

function TestCells({ one, test, several, direction }: TestCellsProps) {
  const judged = judgedTest(one, test, direction);
  return (
    <>
      <td>
        <span className={verdictClass(judged)}>
          <VerdictWord {...judged} />
        </span>
      </td>
      <td className="number" title={one.reason ?? testWords(test.method, one)}>
        {test.method === 'welch' ? 'none (Welch)' : formatCount(one.n)}
      </td>
      <td className="number">{one.mean === null ? '–' : formatNumber(toNumber(one.mean))}</td>
      <td className="number">{one.baselineMean === null ? '–' : formatNumber(toNumber(one.baselineMean))}</td>
      <td className="number">{judged.difference}</td>
      <td className="number">{judged.interval}</td>
      <td className="number">
        {toNumber(test.t).toFixed(2).replace('-', '−')} ({Number(test.df.toFixed(1))})
      </td>
      <td className="number">{formatProbability(test.p)}</td>
      <Probability p={test.pBetter} />
      {several && <Probability p={one.pHolm} />}
      <Probability p={test.wilcoxon?.p ?? null} />
      {several && <Probability p={one.wilcoxonHolm} />}
    </>
  );
}

function Probability({ p }: { p: number | null }) {
  return <td className="number">{p === null ? <span className="muted">–</span> : formatProbability(p)}</td>;
}
