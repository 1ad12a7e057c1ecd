import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Comparison } from '#web/api/useComparison.ts';
import { seriesStyle } from '#web/charts/seriesStyle.ts';
import { Button } from '#web/components/Button.tsx';
import { Icon } from '#web/components/Icon.tsx';
import { Segments } from '#web/components/Segments.tsx';
import { alignedNumber, columnDecimals } from '#web/lib/alignedNumber.ts';
import { type MetricValue, toNumber } from '#src/lib/metricValue.ts';
import { LineKey } from '../shared/LineKey.tsx';
import { bestIndexes } from '#web/lib/bestIndexes.ts';

type Which = 'final' | 'best';
/** Metrics shown at first, the button brings all. */
const FIRST_ROWS = 12;
const MOST_ROWS = 200;

/** Final or best value of each metric, a row a metric and a column a run; the best of each row is marked. */
export function MetricTable({ comparison }: { comparison: Comparison }) {
  const [which, setWhich] = useState<Which>('final');
  const [most, setMost] = useState(FIRST_ROWS);
  const metrics = comparison.metrics.filter((metric) => !metric.name.startsWith('system/'));
  if (metrics.length === 0) return null;
  return (
    <section className="panel" aria-labelledby="metrics-title">
      <div className="panel-head">
        <h2 id="metrics-title">Metrics</h2>
        <Segments<Which>
          label="Which value"
          options={[
            { value: 'final', label: 'Final' },
            { value: 'best', label: 'Best' },
          ]}
          value={which}
          onChange={setWhich}
        />
        <span className="muted spread">
          <Icon name="star" size={11} /> best of its row, where higher or lower is known to be better
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
            {metrics.slice(0, most).map((metric) => (
              <MetricRow
                key={metric.name}
                name={metric.name}
                values={metric[which]}
                direction={metric.direction}
                runIds={comparison.runs.map((run) => run.id)}
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
  values: readonly (MetricValue | null)[];
  direction: 'higher' | 'lower' | null;
  runIds: readonly string[];
}

function MetricRow({ name, values, direction, runIds }: MetricRowProps) {
  const numbers = values.map((value) => (value === null ? null : toNumber(value)));
  const best = bestIndexes(numbers, direction);
  const decimals = columnDecimals(numbers.filter((value) => value !== null));
  const hint = direction === 'higher' ? '↑' : direction === 'lower' ? '↓' : '';
  return (
    <tr>
      <th scope="row">
        <code>{name}</code>{' '}
        {direction !== null && (
          <span className="muted" title={`${direction} is better`}>
            {hint}
          </span>
        )}
      </th>
      {numbers.map((value, index) => (
        <td className={best.has(index) ? 'number compare-best' : 'number'} key={runIds[index]}>
          {best.has(index) && (
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
