import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { Comparison } from './useComparison.ts';
import { seriesStyle } from '#web/charts/seriesStyle.ts';
import { Button } from '#web/components/Button.tsx';
import { Icon } from '#web/components/Icon.tsx';
import { alignedNumber, columnDecimals } from '#web/lib/alignedNumber.ts';
import { toNumber } from '#src/base/lib/metricValue.ts';
import { LineKey } from '../shared/LineKey.tsx';
import { bestOfLikeData } from '#web/lib/bestOfLikeData.ts';
import { dataOfRuns, starsText } from './comparedData.ts';

/** Metrics shown at first, the button brings all. */
const FIRST_ROWS = 12;
const MOST_ROWS = 200;

/** The value of each metric that counts, a row a metric and a column a run; the best of each row is marked. */
export function MetricTable({ comparison }: { comparison: Comparison }) {
  const [most, setMost] = useState(FIRST_ROWS);
  const metrics = comparison.metrics.filter((metric) => !metric.name.startsWith('system/'));
  const data = useMemo(() => dataOfRuns(comparison), [comparison]);
  if (metrics.length === 0) return null;
  const rows = metrics.slice(0, most).map((metric) => {
    const values = metric.final.map((value) => (value === null ? null : toNumber(value)));
    return { ...metric, values, stars: bestOfLikeData(values, metric.direction, data) };
  });
  return (
    <section className="panel" aria-labelledby="metrics-title">
      <div className="panel-head">
        <h2 id="metrics-title">Metrics</h2>
        <span className="muted spread">
          <Icon name="star" size={11} />{' '}
          {starsText(
            data,
            rows.some(({ stars }) => stars.size > 0),
            'runs',
          )}
        </span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <section className="table-scroll compare-scroll" aria-label="Metric values" tabIndex={0}>
        <table className="table compare-table">
          <thead>
            <tr>
              <th scope="col">Metric</th>
              {comparison.runs.map((run, index) => (
                <th scope="col" className="number" key={run.id}>
                  <Link to="/runs/$runId" params={{ runId: run.id }} title={run.name}>
                    <LineKey style={seriesStyle(index)} /> #{run.number}
                  </Link>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, rules, values, direction, stars }) => (
              <MetricRow
                key={name}
                {...{ name, rules, values, direction, stars }}
                runIds={comparison.runs.map(({ id }) => id)}
              />
            ))}
          </tbody>
        </table>
      </section>
      {metrics.length > most && most < MOST_ROWS && (
        <div className="panel-body">
          <Button onClick={() => setMost(MOST_ROWS)}>All {metrics.length} metrics</Button>
        </div>
      )}
      {metrics.length > MOST_ROWS && (
        <p className="panel-body muted">
          The first {MOST_ROWS} of {metrics.length} metrics.
        </p>
      )}
    </section>
  );
}

interface MetricRowProps {
  name: string;
  rules: readonly string[];
  values: readonly (number | null)[];
  direction: 'higher' | 'lower' | null;
  /** Places of the best. */
  stars: ReadonlySet<number>;
  runIds: readonly string[];
}

function MetricRow({ name, rules, values, direction, stars, runIds }: MetricRowProps) {
  const decimals = columnDecimals(values.filter((value) => value !== null));
  const hint = direction === 'higher' ? '↑' : direction === 'lower' ? '↓' : '';
  return (
    <tr>
      <th scope="row">
        <code>{name}</code>{' '}
        {rules.some((rule) => rule !== 'last') && <span className="muted">({rules.join(' or ')}) </span>}
        {direction !== null && (
          <span className="muted" title={`${direction} is better`}>
            {hint}
          </span>
        )}
      </th>
      {values.map((value, index) => (
        <td className={stars.has(index) ? 'number compare-best' : 'number'} key={runIds[index]}>
          {stars.has(index) && (
            <>
              <Icon name="star" size={11} />
              <span className="visually-hidden">best: </span>
            </>
          )}
          {value === null ? <span className="muted">–</span> : alignedNumber(value, decimals)}
        </td>
      ))}
    </tr>
  );
}
