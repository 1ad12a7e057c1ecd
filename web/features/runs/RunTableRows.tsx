import type { FocusEventHandler, KeyboardEventHandler, MouseEventHandler } from 'react';
import type { RunRow } from './useRuns.ts';
import type { ActOnCurve, CurveMarks, useLitRows } from './curveMarks.ts';
import { RunTableRow } from './RunTableRow.tsx';
import type { ColumnWindow } from './useColumnWindow.ts';
import type { RowEditing } from './useRowEditing.ts';
import type { RowSelection } from './useRowSelection.ts';
import type { useRunRows } from './useRunRows.ts';
import type { TableCells } from './useTableCells.ts';

export interface RunTableRowsProps {
  runs: readonly RunRow[];
  drawn: ReturnType<typeof useRunRows>;
  columnWindow: ColumnWindow;
  cells: TableCells;
  editing: RowEditing;
  selection: RowSelection;
  marks: CurveMarks;
  onCurve: ActOnCurve;
  /** Numbers of the runs that stand above all others. */
  pins: readonly number[];
  onKeyDown: KeyboardEventHandler<HTMLElement>;
  onFocus: FocusEventHandler<HTMLElement>;
  onContextMenu: MouseEventHandler<HTMLElement>;
  /** What tells which curve the pointer is at. */
  litRows: ReturnType<typeof useLitRows>;
}

/** The rows that are drawn, and the room of the others. */
export function RunTableRows(props: RunTableRowsProps) {
  const { runs, drawn, cells, editing, selection, marks } = props;
  const { pinned, shown, first } = props.columnWindow;
  return (
    <tbody onKeyDown={props.onKeyDown} onFocus={props.onFocus} onContextMenu={props.onContextMenu} {...props.litRows}>
      {drawn.before > 0 && <Spacer height={drawn.before} />}
      {drawn.rows.map(({ index, key }) => {
        const run = runs[index];
        if (run === undefined) return null;
        return (
          <RunTableRow
            key={key}
            run={run}
            mark={marks.get(run.id)}
            onCurve={props.onCurve}
            editing={editing.current?.runId === run.id ? editing.current.field : null}
            onEdit={editing.begin}
            isPinned={props.pins.includes(run.number)}
            selected={selection.selected.has(run.id)}
            reachable={key === drawn.reachable}
            onToggle={selection.toggle}
            index={index}
            pinned={pinned}
            shown={shown}
            first={first}
            later={cells.metrics.get(run.id)}
            curves={cells.curves.get(run.id)}
            scales={cells.scales}
            decimalsOf={cells.decimalsOf}
            digitsOf={cells.digitsOf}
            numeric={cells.numeric}
          />
        );
      })}
      {drawn.after > 0 && <Spacer height={drawn.after} />}
    </tbody>
  );
}

/** Stands for rows that are not drawn. */
function Spacer({ height }: { height: number }) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row is not focusable
    <tr aria-hidden="true" className="runs-spacer">
      <td style={{ height }} />
    </tr>
  );
}
