import type { StudyClaim } from './useStudies.ts';
import { formatNumber, formatProbability } from '#web/lib/formatNumber.ts';
import { type MetricValue, toNumber } from '#src/base/lib/metricValue.ts';
import { RunLinks } from './RunLinks.tsx';
import { VerdictMark } from './VerdictMark.tsx';
import './reproductions.css';

/** What the paper says, and what the runs say of it. */
export function ClaimList({ claims }: { claims: readonly StudyClaim[] }) {
  return (
    <section className="panel" aria-labelledby="claims">
      <div className="panel-body">
        <h2 id="claims">Claims</h2>
      </div>
      <ol className="study-claims">
        {claims.map((claim) => (
          <li key={claim.name}>
            <p>
              <VerdictMark verdict={claim.verdict} /> <strong>{claim.text}</strong>{' '}
              <span className="muted">{claim.source}</span>
            </p>
            {claim.reason !== '' && <p className="muted">{claim.reason}</p>}
            {claim.statements.some(({ difference }) => difference !== null) && <Statements claim={claim} />}
          </li>
        ))}
      </ol>
    </section>
  );
}

function Statements({ claim: { statements, text } }: { claim: StudyClaim }) {
  return (
    <div className="table-scroll">
      <table className="table study-statements">
        <caption className="visually-hidden">Tests of: {text}</caption>
        <thead>
          <tr>
            <th scope="col">Statement</th>
            <th scope="col">Verdict</th>
            <th scope="col" className="number">
              Difference or value, 95 % interval
            </th>
            <th scope="col" className="number">
              p after Holm
            </th>
            <th scope="col">Test</th>
            <th scope="col">Runs</th>
          </tr>
        </thead>
        <tbody>
          {statements.map((statement) => (
            <tr key={statement.words}>
              <th scope="row">{statement.words}</th>
              <td>
                <VerdictMark verdict={statement.verdict} />
              </td>
              <td className="number">{valueText(statement)}</td>
              <td className="number">{statement.pHolm === null ? '–' : formatProbability(statement.pHolm)}</td>
              <td>{[statement.test, statement.reason].filter((part) => part !== '').join('; ') || '–'}</td>
              <td>
                <RunLinks runs={statement.runs} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function valueText({ difference, low, high }: StudyClaim['statements'][number]): string {
  if (difference === null) return '–';
  const shown = (value: MetricValue) => formatNumber(toNumber(value));
  return low === null || high === null ? shown(difference) : `${shown(difference)} [${shown(low)}, ${shown(high)}]`;
}
