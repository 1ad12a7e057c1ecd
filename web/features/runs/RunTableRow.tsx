import { Link } from '@tanstack/react-router';
import { type KeyboardEvent, memo, useRef, useState } from 'react';
import type { MetricSummary, RunRow } from './useRuns.ts';
import { Icon } from '#web/components/Icon.tsx';
import type { ParameterDigits } from '#web/lib/parameterNumber.ts';
import { joinClasses } from '#web/lib/joinClasses.ts';
import { metricOfColumn } from '#web/lib/runColumn.ts';
import { CurveToggle } from '../shared/CurveToggle.tsx';
import { cellNumber, summaryOf } from './cellNumber.ts';
import { cellStyle } from './cellStyle.ts';
import type { CurveMark, ActOnCurve } from './curveMarks.ts';
import { summaryOrigin, summaryValue } from '#web/lib/summaryValue.ts';
import { alignedNumber } from '#web/lib/alignedNumber.ts';
import { isNumberColumn, RunCell } from './RunCell.tsx';
import { useUpdateRun } from './runActions.ts';
import { useMayWrite } from '#web/features/administration/useServer.ts';
import { showToast } from '#web/components/toasts.ts';
import { type EditedField, type BeginEditing, isEdited } from './useRowEditing.ts';
import { RunNotesEditor } from './RunNotesEditor.tsx';
import type { HeatScales } from './useTableCells.ts';

interface RunFieldEditorProps {
  run: RunRow;
  field: Exclude<EditedField, 'notes'>;
  onEnd(): void;
}

/** The name or the tags of a run as a field in its cell: Enter saves, Escape leaves them. Tags stand with commas between them. */
function RunFieldEditor({ run, field, onEnd }: RunFieldEditorProps) {
  const before = field === 'name' ? run.name : run.tags.join(', ');
  const [draft, setDraft] = useState(before);
  const update = useUpdateRun();
  const mayWrite = useMayWrite();
  const ended = useRef(false);
  const editor = useRef<HTMLInputElement>(null);
  const end = () => {
    ended.current = true;
    // the field goes: the focus stays in its row, unless it has left already
    const row = document.activeElement === editor.current ? editor.current?.closest('tr') : null;
    row?.querySelector('input')?.focus();
    onEnd();
  };
  const save = async () => {
    if (ended.current) return;
    end();
    const text = draft.trim();
    if (text === before || (field === 'name' && text === '')) return;
    const tags = (list: string) => [...new Set(list.split(',').map((tag) => tag.trim()))].filter((tag) => tag !== '');
    const inputOf = (value: string) => ({
      id: run.id,
      ...(field === 'name' ? { name: value } : { tags: tags(value) }),
    });
    const saved = await update
      .mutateAsync(inputOf(text))
      .catch((error: Error) => showToast(error.message, { error: true }));
    if (saved === undefined) return;
    showToast(
      field === 'name' ? `Run ${run.number} is called ${text}.` : `The tags of run ${run.number} are changed.`,
      {
        action: { label: 'Undo', run: () => update.mutate(inputOf(before)) },
      },
    );
  };
  return (
    <input
      ref={editor}
      className="input runs-editor"
      aria-label={
        field === 'name' ? `Name of run ${run.number}` : `Tags of run ${run.number}, with commas between them`
      }
      // biome-ignore lint/a11y/noAutofocus: the cell that was just chosen became this field
      autoFocus
      readOnly={!mayWrite}
      maxLength={field === 'name' ? 200 : 5_000}
      value={draft}
      onChange={({ target }) => setDraft(target.value)}
      onBlur={() => void save()}
      onKeyDown={(event) => {
        if (event.key === 'Enter') void save();
        else if (event.key === 'Escape') end();
        event.stopPropagation();
      }}
    />
  );
}

interface MetricCellProps {
  /** Undefined: the run has no such metric, or it has not come yet. */
  summary: MetricSummary | undefined;
  /** Of the column, so that its numbers stand under each other; null: each in its own way. */
  decimals: number | null;
  /** Its column, from 1. */
  place: number;
  /** Which of the pinned columns it is in, from 0. */
  pin: number | undefined;
  heat: number | null;
}

/**
 * A metric of a run. There may be thousands of columns of them, so that it is one element, drawn again only when what it shows
 * changes: not when the row gets other columns beside it.
 */
const MetricCell = memo(function MetricCell({ summary, decimals, place, pin, heat }: MetricCellProps) {
  const value = summary === undefined ? null : summaryValue(summary);
  return (
    <td
      aria-colindex={place}
      className={joinClasses(
        'number',
        pin !== undefined && 'runs-pinned',
        heat !== null && 'runs-heat',
        value === null && 'muted',
      )}
      style={cellStyle(pin, heat)}
      title={summary === undefined ? undefined : `${value} ${summaryOrigin(summary)}`}
    >
      {value === null ? '–' : alignedNumber(value, decimals)}
    </td>
  );
});

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
