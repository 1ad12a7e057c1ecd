import { Link } from '@tanstack/react-router';
import { type KeyboardEvent, memo } from 'react';
import type { MetricSummary, RunRow } from './useRuns.ts';
import { Icon } from '#web/components/Icon.tsx';
import type { ParameterDigits } from '#web/lib/parameterNumber.ts';
import { joinClasses } from '#web/lib/joinClasses.ts';
import { metricOfColumn } from '#web/lib/runColumn.ts';
import { CurveToggle } from '../shared/CurveToggle.tsx';
import { cellNumber, summaryOf } from './cellNumber.ts';
import { cellStyle } from './cellStyle.ts';
import type { CurveMark, ActOnCurve } from './curveMarks.ts';
import { MetricCell } from './MetricCell.tsx';
import { isNumberColumn, RunCell } from './RunCell.tsx';
import { RunFieldEditor } from './RunFieldEditor.tsx';
import { RunNotesEditor } from './RunNotesEditor.tsx';
import { type BeginEditing, type EditedField, isEdited } from './useRowEditing.ts';
import type { HeatScales } from './useTableCells.ts';

export interface RunTableRowProps {
  /** Row of the table, from 0. */
  index: number;
  pinned: readonly string[];
  /** Columns that scroll and are in sight. */
  shown: readonly string[];
  /** The place of the first of `shown` among all columns, from 0. */
  first: number;
  run: RunRow;
  /** Its curve; undefined: it has none beside the table. */
  mark: CurveMark | undefined;
  onCurve: ActOnCurve;
  selected: boolean;
  /** It stands above all others. */
  isPinned: boolean;
  /** Tab stops at it: at one row of the table, arrows lead to the others. */
  reachable: boolean;
  /** What of it is being edited; null: nothing. */
  editing: EditedField | null;
  onEdit: BeginEditing | null;
  onToggle(id: string, range: boolean): void;
  later: ReadonlyMap<string, MetricSummary> | undefined;
  curves: ReadonlyMap<string, readonly number[]> | undefined;
  scales: HeatScales;
  decimalsOf(column: string): number | null;
  digitsOf(column: string): ParameterDigits;
  /** Columns of parameters that hold numbers. */
  numeric: ReadonlySet<string>;
}

const EDIT_WORDS: Readonly<Record<EditedField, string>> = {
  name: 'Rename',
  tags: 'Change the tags of',
  notes: 'Change the notes of',
};

/** Columns before those that are chosen: the box and the number. */
export const LEADING = 2;

/** One run. Drawn again only when the run, the columns or its selection change. */
export const RunTableRow = memo(function RunTableRow(props: RunTableRowProps) {
  const { run, mark, onCurve, selected, reachable, onToggle, index, pinned, shown, first } = props;
  return (
    <tr
      aria-rowindex={index + 2}
      data-row={index}
      data-run={run.id}
      className={joinClasses(selected && 'runs-selected', props.isPinned && 'runs-top')}
    >
      <td className="runs-select" aria-colindex={1}>
        <input
          type="checkbox"
          tabIndex={reachable ? 0 : -1}
          aria-label={`Select run ${run.number}, ${run.name}`}
          checked={selected}
          onChange={() => {}}
          onClick={(event) => onToggle(run.id, event.shiftKey)}
          onKeyDown={(event) => {
            if (!isRangeKey(event)) return;
            event.preventDefault();
            onToggle(run.id, true);
          }}
          onKeyUp={(event) => isRangeKey(event) && event.preventDefault()}
        />
      </td>
      <th scope="row" className="number runs-number" aria-colindex={2}>
        {mark !== undefined && (
          <CurveToggle
            {...{ reachable, style: mark.style, isHidden: mark.isHidden }}
            label={`run ${run.number}`}
            onAct={(act) => onCurve(mark.subject, act)}
          />
        )}
        <Link
          to="/runs/$runId"
          params={{ runId: run.id }}
          aria-label={`Run ${run.number}`}
          tabIndex={reachable ? 0 : -1}
        >
          {run.number}
        </Link>
      </th>
      {pinned.map((column, place) => columnCell(props, column, place, place))}
      <td className="runs-gap" />
      {shown.map((column, place) => columnCell(props, column, first + place))}
      <td className="runs-gap" />
    </tr>
  );
});

/** The cell of a column: a metric, or a field, which may be edited. Not a component, of which a table would have thousands. */
function columnCell(props: RunTableRowProps, column: string, place: number, pin?: number) {
  const { run, onEdit, reachable, later, curves, scales, decimalsOf, digitsOf, numeric } = props;
  const value = scales.has(column) ? cellNumber(run, column, later) : null;
  const heat = value === null ? null : (scales.get(column)?.(value) ?? null);
  const metric = metricOfColumn(column);
  if (metric !== null) {
    return (
      <MetricCell
        key={column}
        summary={summaryOf(run, metric, later)}
        decimals={decimalsOf(column)}
        place={LEADING + place + 1}
        pin={pin}
        heat={heat}
      />
    );
  }
  return (
    <td
      key={column}
      aria-colindex={LEADING + place + 1}
      data-edits={onEdit !== null && isEdited(column) ? column : undefined}
      className={joinClasses(
        (isNumberColumn(column) || numeric.has(column)) && 'number',
        pin !== undefined && 'runs-pinned',
        onEdit !== null && isEdited(column) && 'runs-editable',
        heat !== null && 'runs-heat',
      )}
      style={cellStyle(pin, heat)}
    >
      {onEdit !== null && isEdited(column) ? (
        editedContent(props, column, onEdit)
      ) : (
        <RunCell {...{ run, column, curves, reachable }} digits={digitsOf(column)} />
      )}
    </td>
  );
}

function editedContent(
  { run, editing, curves, reachable }: RunTableRowProps,
  column: EditedField,
  onEdit: NonNullable<RunTableRowProps['onEdit']>,
) {
  const onEnd = () => onEdit(null, column);
  if (editing === column) {
    return column === 'notes' ? (
      <RunNotesEditor run={run} onEnd={onEnd} />
    ) : (
      <RunFieldEditor run={run} field={column} onEnd={onEnd} />
    );
  }
  return (
    <>
      <RunCell {...{ run, column, curves, reachable }} />
      <button
        type="button"
        className="runs-edit"
        tabIndex={-1}
        aria-label={`${EDIT_WORDS[column]} run ${run.number}`}
        onClick={() => onEdit(run.id, column)}
      >
        <Icon name="edit" size={12} />
      </button>
    </>
  );
}

/** Shift and Space: a click made by the keyboard does not tell of Shift. */
function isRangeKey(event: KeyboardEvent): boolean {
  return event.key === ' ' && event.shiftKey;
}
