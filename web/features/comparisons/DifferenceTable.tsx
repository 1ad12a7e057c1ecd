import type { Comparison } from './useComparison.ts';
import { foldedFields } from './foldedFields.ts';
import { FieldTable, MOST_FIELD_ROWS } from './FieldTable.tsx';

export interface DifferenceTableProps {
  comparison: Comparison;
  /** Shows fields that are the same in all runs, too. */
  all: boolean;
  onAll(all: boolean): void;
}

/** In what configurations, code and environment differ: a column a configuration, its runs together. */
export function DifferenceTable({ comparison, all, onAll }: DifferenceTableProps) {
  const { fields, environment, groups } = comparison;
  // the seed tells the runs of one configuration apart, not the configurations
  const told = fields.filter((field) => field.path !== 'seed' || groups.length === 1);
  const different = told.filter((field) => field.differs);
  const shown = all ? fields : different;
  const { rows, folds } = foldedFields(comparison.runs, different);
  const folded = folds.reduce((sum, fold) => sum + fold.fields.length, 0);
  return (
    <section className="panel" aria-labelledby="differences-title">
      <div className="panel-head">
        <h2 id="differences-title">What differs</h2>
        <label className="check">
          <input type="checkbox" checked={!all} onChange={(event) => onAll(!event.target.checked)} />
          Differences only
        </label>
        <span className="muted spread">
          {rows.length} of {told.length} fields differ
          {folded > 0 && `, ${folded} are of some kinds alone`}
        </span>
      </div>
      <FieldTable comparison={comparison} fields={shown} environment={environment} marked={all} />
      {(all ? shown : rows).length > MOST_FIELD_ROWS && (
        <p className="panel-body muted">
          The first {MOST_FIELD_ROWS} of {(all ? shown : rows).length} fields.
        </p>
      )}
    </section>
  );
}
