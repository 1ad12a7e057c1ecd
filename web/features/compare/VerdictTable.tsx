import { verdictOf } from '#src/statistics/verdict.ts';
import type { Comparison } from '#web/api/useComparison.ts';
import type { ConfigurationTest, MetricTests } from '#web/api/usePairedTests.ts';
import { Icon } from '#web/components/Icon.tsx';
import { formatInterval } from '#web/lib/formatInterval.ts';
import { formatMeanDeviation } from '#web/lib/formatMeanDeviation.ts';
import { formatCount, formatNumber, formatProbability } from '#web/lib/formatNumber.ts';
import { toNumber } from '#src/lib/metricValue.ts';
import { comparedGroupLabels } from './comparedLabels.ts';
import { DifferencePicture } from './DifferencePicture.tsx';
import { differenceScale } from './differenceScale.ts';

type Group = Comparison['groups'][number];

export interface VerdictTableProps {
  comparison: Comparison;
  metric: MetricTests;
  perUser: boolean;
}

/** One row a configuration, the baseline first, then from best to worst: mean, difference with its interval, verdict. */
export function VerdictTable({ comparison, metric, perUser }: VerdictTableProps) {
  const labels = comparedGroupLabels(comparison);
  const label = (hash: string) => labels[comparison.groups.findIndex((one) => one.configuration.hash === hash)] ?? '';
  const groupOf = (hash: string) => comparison.groups.find((one) => one.configuration.hash === hash);
  const sign = metric.direction === 'lower' ? 1 : -1;
  const place = ({ mean }: ConfigurationTest) => (mean === null ? Number.POSITIVE_INFINITY : sign * toNumber(mean));
  const tests = [...metric.tests].sort((a, b) => {
    const [x, y] = [place(a), place(b)];
    return x === y ? 0 : x - y;
  });
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
              Mean ± s.d. (n)
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
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">{label(metric.baselineHash)}</th>
            <td className="number">
              <MeanText group={groupOf(metric.baselineHash)} name={metric.name} />
            </td>
            <td className="muted" colSpan={5}>
              baseline
            </td>
          </tr>
          {tests.map((one) => (
            <tr key={one.configurationHash}>
              <th scope="row">{label(one.configurationHash)}</th>
              <td className="number">
                <MeanText group={groupOf(one.configurationHash)} name={metric.name} />
              </td>
              {one.test === null ? (
                <td className="muted compare-reason" colSpan={5}>
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
  const values = { difference: toNumber(test.difference), low: toNumber(test.low), high: toNumber(test.high) };
  const p = one.pHolm ?? test.p;
  const verdict = verdictOf({ difference: values.difference, p, direction });
  const { difference, interval } = formatInterval(values);
  return (
    <>
      <td className={verdict === 'better' ? 'compare-best' : verdict === 'undecided' ? 'muted' : undefined}>
        {verdict === 'better' && <Icon name="star" size={11} />}
        {verdict}
      </td>
      <td className="number" title={one.pHolm === null ? undefined : 'After Holm’s correction'}>
        {formatProbability(p)}
      </td>
      <td className="number">{difference}</td>
      <td>
        <span className="verdict-interval" title={interval}>
          {scale !== null && <DifferencePicture {...values} verdict={verdict} scale={scale} />}
          <span className="visually-hidden">{interval}</span>
        </span>
      </td>
      <td className="number">{test.method === 'paired' ? formatCount(one.n) : 'none (Welch)'}</td>
    </>
  );
}

/** Over all runs of the configuration; the tests may be of fewer. */
function MeanText({ group, name }: { group: Group | undefined; name: string }) {
  const metric = group?.metrics.find((one) => one.name === name);
  if (metric === undefined) return <span className="muted">–</span>;
  const sampled = metric.standardDeviation === null ? null : toNumber(metric.standardDeviation);
  const { mean, deviation } = formatMeanDeviation(toNumber(metric.mean), sampled);
  return (
    <>
      {sampled === null ? formatNumber(toNumber(metric.mean)) : mean}
      {deviation !== null && ` ± ${deviation}`} <span className="muted">({metric.n})</span>
    </>
  );
}
