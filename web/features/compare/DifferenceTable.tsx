import type { Comparison } from '#web/api/useComparison.ts';
import { formatValue } from '#web/lib/fieldText.ts';
import { comparedGroupLabels } from './comparedLabels.ts';

export interface DifferenceTableProps {
  comparison: Comparison;
  /** Shows fields that are the same in all runs, too. */
  all: boolean;
  onAll(all: boolean): void;
}

type Field = Comparison['fields'][number];

/** More values of one configuration are not told. */
const MOST_VALUES = 3;
const MOST_ROWS = 100;

/** In what configurations, code and environment differ: a column a configuration, its runs together. */
export function DifferenceTable({ comparison, all, onAll }: DifferenceTableProps) {
  const { fields, environment, groups, runs } = comparison;
  const shown = all
    ? fields
    : fields.filter((field) => field.differs && (field.path !== 'seed' || groups.length === 1));
  const labels = comparedGroupLabels(comparison);
  const members = groups.map(({ runIds }) => runIds.map((id) => runs.findIndex((run) => run.id === id)));
  const rows = (some: readonly Field[]) =>
    some.slice(0, MOST_ROWS).map((field) => (
      <tr key={field.path} className={field.differs && all ? 'compare-differs' : undefined}>
        <th scope="row">
          <code>{field.path}</code>
        </th>
        {members.map((indexes, group) => (
          <td key={groups[group]?.configuration.hash}>{valuesText(field, indexes)}</td>
        ))}
      </tr>
    ));
  return (
    <section className="panel" aria-labelledby="differences-title">
      <div className="panel-head">
        <h2 id="differences-title">What differs</h2>
        <label className="check">
          <input type="checkbox" checked={!all} onChange={(event) => onAll(!event.target.checked)} />
          Differences only
        </label>
        <span className="muted spread">
          {fields.filter((field) => field.differs).length} of {fields.length} fields differ
        </span>
      </div>
      {shown.length + environment.length === 0 ? (
        <p className="panel-body muted">The runs have the same configuration, code and environment.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
        <section className="table-scroll compare-scroll" aria-label="Configuration fields" tabIndex={0}>
          <table className="table compare-table">
            <thead>
              <tr>
                <th scope="col">Field</th>
                {groups.map((group, index) => (
                  <th scope="col" key={group.configuration.hash} title={labels[index]}>
                    <span className="compare-head">{labels[index]}</span>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows(shown)}
              {environment.length > 0 && (
                <tr>
                  <th scope="rowgroup" className="muted" colSpan={groups.length + 1}>
                    Code and environment
                  </th>
                </tr>
              )}
              {rows(environment)}
            </tbody>
          </table>
        </section>
      )}
      {shown.length > MOST_ROWS && (
        <p className="panel-body muted">
          The first {MOST_ROWS} of {shown.length} fields.
        </p>
      )}
    </section>
  );
}

/** The values of the runs of one configuration, each once. */
function valuesText(field: Field, indexes: readonly number[]): string {
  const texts = [...new Set(indexes.map((index) => formatValue(field.values[index])))];
  const more = texts.length - MOST_VALUES;
  return more > 0 ? `${texts.slice(0, MOST_VALUES).join(', ')} and ${more} more` : texts.join(', ');
}
