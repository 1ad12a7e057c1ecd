import type { ParameterImportance } from './useSweep.ts';
import { shortTitles } from './trialLabel.ts';

/** Which parameters matter, as bars; the numbers stand beside them. */
export function ImportanceCard({
  importance,
  measured,
  parameters,
}: {
  /** Null until it is read. */
  importance: readonly ParameterImportance[] | null;
  /** Trials with an objective. */
  measured: number;
  /** Paths of all parameters that vary. */
  parameters: readonly string[];
}) {
  const titles = new Map(shortTitles(parameters).map((title, index) => [parameters[index], title]));
  return (
    <section className="panel sweep-card sweep-importance" aria-labelledby="importance">
      <div className="chart-head">
        <h2 id="importance">Importance</h2>
        <span
          className="muted"
          title="Share of the objective's variance that each parameter explains by itself (fANOVA)"
        >
          fANOVA
        </span>
      </div>
      {importance === null || importance.length === 0 ? (
        <p className="muted">
          {measured < 8
            ? `Known from eight trials with an objective on; there are ${measured}.`
            : importance === null
              ? 'Being computed …'
              : 'The objective does not vary.'}
        </p>
      ) : (
        <table className="sweep-bars">
          <caption className="visually-hidden">Importance of parameters to the objective</caption>
          <tbody>
            {importance.map(({ path, importance: share, trials }) => (
              <tr key={path}>
                <th scope="row" title={path}>
                  {titles.get(path) ?? path}
                </th>
                <td className="sweep-bar">
                  <span style={{ width: `${100 * share}%` }} />
                </td>
                <td className="number" title={`from ${trials} trials`}>
                  {share < 0.001 ? '< 0.001' : share.toFixed(share < 0.01 ? 3 : 2)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
