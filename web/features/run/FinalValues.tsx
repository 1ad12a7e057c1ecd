import { alignedNumber, columnDecimals } from '#web/lib/alignedNumber.ts';
import { formatCount } from '#web/lib/formatNumber.ts';
import { standingRule, summaryOrigin, summaryValue } from '#web/lib/summaryValue.ts';
import { compareHeadlines } from '#src/base/lib/headlineMetrics.ts';
import { toNumber } from '#src/base/lib/metricValue.ts';
import type { MetricSummary } from './metricGroups.ts';

/** A run may have thousands of metrics; more than this are found by name. */
const MOST_ROWS = 200;

/** Each metric's last value, its best where its direction is known, and where programs gave rules the value that stands for it. */
export function FinalValues({ metrics, primary }: { metrics: readonly MetricSummary[]; primary: string | null }) {
  const inOrder = compareHeadlines(primary);
  const shown = metrics.filter((metric) => !metric.name.startsWith('system/')).sort((a, b) => inOrder(a.name, b.name));
  if (shown.length === 0) return null;
  const hasRules = shown.some((metric) => standingRule(metric) !== 'last');
  return (
    <div className="panel">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <section className="table-scroll metrics-final" aria-label="Final values" tabIndex={0}>
        <table className="table">
          <thead>
            <tr>
              <th scope="col">Metric</th>
              {hasRules && (
                <th scope="col" className="number" title="What stands for the metric in tables and comparisons">
                  Value
                </th>
              )}
              <th scope="col" className="number">
                Last
              </th>
              <th scope="col" className="number">
                At step
              </th>
              <th scope="col" className="number">
                Best
              </th>
              <th scope="col" className="number">
                Points
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.slice(0, MOST_ROWS).map((metric) => (
              <FinalRow key={metric.name} {...{ metric, hasRules }} />
            ))}
          </tbody>
        </table>
      </section>
      {shown.length > MOST_ROWS && (
        <p className="panel-body muted">and {formatCount(shown.length - MOST_ROWS)} more: find them by name</p>
      )}
    </div>
  );
}

function FinalRow({ metric, hasRules }: { metric: MetricSummary; hasRules: boolean }) {
  const last = toNumber(metric.lastValue);
  const best = bestOf(metric);
  const value = summaryValue(metric);
  const decimals = columnDecimals(best === null ? [value, last] : [value, last, best]);
  return (
    <tr>
      <th scope="row">
        <code title={metric.description ?? undefined}>{metric.name}</code>
        {metric.direction !== null && (
          <span className="muted" title={`${metric.direction} is better`}>
            {metric.direction === 'higher' ? ' ↑' : ' ↓'}
          </span>
        )}
      </th>
      {hasRules && (
        <td className="number" title={`${value} ${summaryOrigin(metric)}`}>
          {alignedNumber(value, decimals)} <span className="muted">{standingRule(metric)}</span>
        </td>
      )}
      <td className="number" title={String(last)}>
        {alignedNumber(last, decimals)}
      </td>
      <td className="number muted">{formatCount(metric.lastStep)}</td>
      <td className="number" title={best === null ? undefined : String(best)}>
        {best === null ? '–' : alignedNumber(best, decimals)}
      </td>
      <td className="number muted">{formatCount(metric.pointCount)}</td>
    </tr>
  );
}

function bestOf({ direction, maximum, minimum }: MetricSummary): number | null {
  const extreme = direction === 'higher' ? maximum : direction === 'lower' ? minimum : null;
  return extreme === null ? null : toNumber(extreme);
}
