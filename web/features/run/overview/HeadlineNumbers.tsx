import type { RunDetail } from '#web/api/useRun.ts';
import { formatCount, formatNumber } from '#web/lib/formatNumber.ts';
import { summaryOrigin, summaryValue } from '#web/lib/summaryValue.ts';
import { toNumber } from '#src/lib/metricValue.ts';
import { isLive } from '#web/lib/runStates.ts';
import type { MetricSummary } from '../metricGroups.ts';
import { pickHeadlines } from './headlines.ts';

const MOST_ROWS = 7;

/** The metrics that tell most, the first one large. */
export function HeadlineNumbers({ run, primary }: { run: RunDetail; primary: string | null }) {
  const names = run.metrics.map(({ name }) => name);
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
          {metrics.length < names.length && `${metrics.length} of ${formatCount(names.length)} metrics`}
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
              At step
            </th>
            <th scope="col" className="number">
              Best
            </th>
          </tr>
        </thead>
        <tbody>
          {metrics.map((metric, index) => (
            <tr key={metric.name} className={index === 0 ? 'overview-first' : undefined}>
              <th scope="row" title={metric.name}>
                <code>{metric.name}</code>
                {metric.name === primary && <span className="tag">primary</span>}
              </th>
              <td className="number overview-value" title={summaryOrigin(metric)}>
                {formatNumber(summaryValue(metric), 4)}
              </td>
              <td className="number muted">{formatCount(metric.lastStep)}</td>
              <td className="number muted">{best(metric)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function best({ direction, maximum, minimum, pointCount }: MetricSummary): string {
  const extreme = direction === 'higher' ? maximum : direction === 'lower' ? minimum : null;
  return extreme === null || pointCount < 2 ? '–' : formatNumber(toNumber(extreme), 4);
}
