import { Link } from '@tanstack/react-router';
import type { RunDetail } from '#web/features/run/useRun.ts';
import { formatCount } from '#web/lib/formatNumber.ts';

const MOST_ROWS = 7;

/** The newest texts that the run logged, by name. */
export function LastTexts({ run }: { run: RunDetail }) {
  const { texts } = run;
  if (texts.length === 0) return null;
  return (
    <section className="panel" aria-labelledby="texts-title">
      <div className="panel-head">
        <h2 id="texts-title">Texts</h2>
      </div>
      <table className="table value-table overview-settings">
        <thead className="visually-hidden">
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Text</th>
          </tr>
        </thead>
        <tbody>
          {texts.slice(0, MOST_ROWS).map(({ name, step, texts: values }) => (
            <tr key={name}>
              <th scope="row">
                <code>{name}</code>
              </th>
              <td className="overview-text" title={`at step ${formatCount(step)}`}>
                {values.join('\n')}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="overview-foot">
        <Link to="/runs/$runId" params={{ runId: run.id }} search={{ tab: 'media' }} replace>
          {texts.length > MOST_ROWS ? `${formatCount(texts.length - MOST_ROWS)} more, and all` : 'All'} of every step
        </Link>
      </p>
    </section>
  );
}
