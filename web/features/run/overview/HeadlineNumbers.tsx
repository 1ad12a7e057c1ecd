import type { RunDetail } from '#web/features/run/useRun.ts';
import { alignedNumber, columnDecimals } from '#web/lib/alignedNumber.ts';
import { formatCount } from '#web/lib/formatNumber.ts';
import { standingRule, summaryOrigin, summaryValue } from '#web/lib/summaryValue.ts';
import { toNumber } from '#src/base/lib/metricValue.ts';
import { isLive } from '#web/lib/runStates.ts';
import type { MetricSummary } from '../metricGroups.ts';
import { pickHeadlines } from '#web/lib/pickHeadlines.ts';

const MOST_ROWS = 7;

/** The metrics that tell most, the first one large. */
export function HeadlineNumbers({ run, primary }: { run: RunDetail; primary: string | null }) {
  const names = run.metrics.map(({ name }) => name);
  // the machine's are not among those that the tab counts
  const counted = names.filter((name) => !name.startsWith('system/')).length;
  const picked = pickHeadlines(names, primary, { most: MOST_ROWS, perPart: 4 });
  const metrics = picked.flatMap((name) => run.metrics.find((metric) => metric.name === name) ?? []);
  if (metrics.length === 0) {
    return (
      <section className="panel" aria-labelledby="numbers-title">
        <h2 className="panel-head" id="numbers-title">
          Numbers
        </h2>
        <p className="panel-body muted">
          {isLive(run.state) ? 'They appear here as soon as the run reports them.' : 'The run reported none.'}
        </p>
      </section>
    );
  }
  return (
    <section className="panel" aria-labelledby="numbers-title">
      <div className="panel-head">
        <h2 id="numbers-title">Numbers</h2>
        <span className="muted">
          {metrics.length < counted && `${metrics.length} of ${formatCount(counted)} metrics`}
        </span>
      </div>
      <table className="table overview-numbers">
        <thead>
          <tr>
            <th scope="col">Metric</th>
            <th scope="col" className="number">
              Value
            </th>
            <th scope="col" className="number">
              From
            </th>
            <th scope="col" className="number">
              Best
            </th>
          </tr>
        </thead>
        <tbody>
          {metrics.map((metric, index) => (
            <HeadlineRow key={metric.name} {...{ metric, isFirst: index === 0, isPrimary: metric.name === primary }} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface HeadlineRowProps {
  metric: MetricSummary;
  isFirst: boolean;
  isPrimary: boolean;
}

function HeadlineRow({ metric, isFirst, isPrimary }: HeadlineRowProps) {
  const value = summaryValue(metric);
  const best = bestOf(metric);
  const rule = standingRule(metric);
  const decimals = columnDecimals(best === null ? [value] : [value, best]);
  return (
    <tr className={isFirst ? 'overview-first' : undefined}>
      <th scope="row" title={metric.name}>
        <span className="overview-name">
          <code>{metric.name}</code>
          {isPrimary && <span className="tag">primary</span>}
        </span>
      </th>
      <td className="number overview-value" title={`${value} ${summaryOrigin(metric)}`}>
        {alignedNumber(value, decimals)}
      </td>
      <td className="number muted">
        {rule === 'last' ? `step ${formatCount(metric.lastStep)}` : `${rule} of ${formatCount(metric.pointCount)}`}
      </td>
      <td className="number muted">{best === null ? '–' : alignedNumber(best, decimals)}</td>
    </tr>
  );
}

/** The greatest or the least value; null where neither is known to be better, or there is one value alone. */
function bestOf({ direction, maximum, minimum, pointCount }: MetricSummary): number | null {
  const extreme = direction === 'higher' ? maximum : direction === 'lower' ? minimum : null;
  return extreme === null || pointCount < 2 ? null : toNumber(extreme);
}
