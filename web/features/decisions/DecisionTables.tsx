import { Link } from '@tanstack/react-router';
import type { DecisionDetail } from './useDecision.ts';
import { StateBadge } from '#web/components/StateBadge.tsx';
import { formatInterval } from '#web/lib/formatInterval.ts';
import { formatNumber, formatProbability } from '#web/lib/formatNumber.ts';
import { toNumber } from '#src/base/lib/metricValue.ts';

/** The looks that were made. */
export function LookTable({ decision: { looks } }: { decision: DecisionDetail }) {
  return (
    <section className="panel" aria-label="Looks">
      <div className="panel-head">
        <h2>Looks</h2>
      </div>
      <div className="table-scroll">
        <table className="table">
          <thead>
            <tr>
              <th className="number">Pairs</th>
              <th className="number">A − B</th>
              <th>Interval</th>
              <th className="number">t</th>
              <th className="number">Decides from</th>
              <th className="number">Chance still to decide</th>
              <th className="number">p</th>
            </tr>
          </thead>
          <tbody>
            {looks.map((look) => {
              const { interval } = formatInterval(look);
              return (
                <tr key={look.pairs}>
                  <td className="number">{look.pairs}</td>
                  <td className="number">{formatNumber(look.difference, 4)}</td>
                  <td>{interval}</td>
                  <td className="number">{look.t === null ? '–' : formatNumber(look.t, 3)}</td>
                  <td className="number">{formatNumber(look.boundary, 3)}</td>
                  <td className="number">
                    {look.verdict === 'decided' ? 'decided' : `${(100 * look.chance).toFixed(0)} %`}
                  </td>
                  <td className="number">{look.p === null ? '' : formatProbability(look.p)}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </section>
  );
}

type Pair = DecisionDetail['pairs'][number];

/** The pairs of runs. */
export function PairTable({ decision: { pairs } }: { decision: DecisionDetail }) {
  return (
    <section className="panel" aria-label="Pairs">
      <div className="panel-head">
        <h2>Pairs</h2>
        <span className="muted">runs of A and B with the same seed</span>
      </div>
      <div className="table-scroll">
        <table className="table">
          <thead>
            <tr>
              <th className="number">Seed</th>
              <th>A</th>
              <th className="number">Value</th>
              <th>B</th>
              <th className="number">Value</th>
              <th>Left out</th>
            </tr>
          </thead>
          <tbody>
            {pairs.map((pair) => (
              <tr key={pair.number}>
                <td className="number">{pair.seed}</td>
                <td>
                  <PairRun run={pair.runA} reused={pair.reusedA} />
                </td>
                <td className="number">{valueText(pair.valueA)}</td>
                <td>
                  <PairRun run={pair.runB} reused={pair.reusedB} />
                </td>
                <td className="number">{valueText(pair.valueB)}</td>
                <td className="muted">{pair.problem}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function valueText(value: Pair['valueA']): string {
  return value === null ? '' : formatNumber(toNumber(value));
}

function PairRun({ run, reused }: { run: Pair['runA']; reused: boolean }) {
  if (run === null) return <span className="muted">gone</span>;
  return (
    <span className="row">
      <Link to="/runs/$runId" params={{ runId: run.id }}>
        #{run.number}
      </Link>
      <StateBadge state={run.state} />
      {reused && <span className="muted">was there</span>}
    </span>
  );
}
