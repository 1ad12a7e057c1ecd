import { Link } from '@tanstack/react-router';
import type { Comparison } from '#web/api/useComparison.ts';
import { seriesStyle } from '#web/charts/seriesStyle.ts';
import { formatValue } from '#web/lib/fieldText.ts';
import { LineKey } from '../shared/LineKey.tsx';

export interface DifferenceTableProps {
  comparison: Comparison;
  /** Shows fields that are the same in all runs, too. */
  all: boolean;
  onAll(all: boolean): void;
}

/** In what the runs' configurations differ. */
export function DifferenceTable({ comparison, all, onAll }: DifferenceTableProps) {
  const fields = all ? comparison.fields : comparison.fields.filter((field) => field.differs);
  const { runs } = comparison;
  return (
    <section className="panel" aria-labelledby="differences-title">
      <div className="panel-head">
        <h2 id="differences-title">Configuration</h2>
        <label className="check">
          <input type="checkbox" checked={!all} onChange={(event) => onAll(!event.target.checked)} />
          Differences only
        </label>
        <span className="muted spread">
          {comparison.fields.filter((field) => field.differs).length} of {comparison.fields.length} fields differ
        </span>
      </div>
      {fields.length === 0 ? (
        <p className="panel-body muted">The runs have the same configuration and seed.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
        <section className="table-scroll compare-scroll" aria-label="Configuration fields" tabIndex={0}>
          <table className="table compare-table">
            <thead>
              <tr>
                <th scope="col">Field</th>
                {runs.map((run, index) => (
                  <th scope="col" key={run.id}>
                    <Link to="/runs/$runId" params={{ runId: run.id }} title={run.name}>
                      <LineKey style={seriesStyle(index)} /> #{run.number}
                    </Link>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {fields.map((field) => (
                <tr key={field.path} className={field.differs && all ? 'compare-differs' : undefined}>
                  <th scope="row">
                    <code>{field.path}</code>
                  </th>
                  {field.values.map((value, index) => (
                    <td key={runs[index]?.id} className={value === null ? 'muted' : undefined}>
                      {formatValue(value)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </section>
  );
}
