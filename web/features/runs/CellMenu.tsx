import { type MouseEvent, useState } from 'react';
import type { RunRow } from './useRuns.ts';
import { copyText } from '#web/components/copyText.ts';
import { FloatingMenu } from '#web/components/FloatingMenu.tsx';
import { cellConditions, groupFieldOf } from './cellConditions.ts';
import { columnTitle } from './columnTitle.ts';
import { LEADING } from './RunTableRow.tsx';
import type { TableCells } from './useTableCells.ts';

/** What a cell's menu does with the table. */
export interface CellActions {
  /** Adds a condition to the filter. */
  onFilter(condition: string): void;
  /** Groups the runs by a field. */
  onGroup(field: string): void;
  /** Numbers of the runs that stand above all others. */
  pins: readonly number[];
  /** Pins runs, or takes their pins away where all of them have one. */
  onPin(numbers: readonly number[]): void;
}

interface OpenedCell {
  run: RunRow;
  column: string;
  /** As it stands there. */
  text: string;
  at: { x: number; y: number };
  from: HTMLElement | null;
}

/** A menu for the cell at which one asks for one, and what opens it. Links keep the browser's own menu. */
export function useCellMenu(
  runs: readonly RunRow[],
  columns: readonly string[],
  cells: TableCells,
  actions: CellActions,
) {
  const [opened, setOpened] = useState<OpenedCell | null>(null);
  const onContextMenu = (event: MouseEvent<HTMLElement>) => {
    const { target, clientX: x, clientY: y } = event;
    if (!(target instanceof Element) || target.closest('a, input, textarea') !== null) return;
    const cell = target.closest<HTMLElement>('td[aria-colindex]');
    const id = cell?.closest<HTMLElement>('tr[data-run]')?.dataset.run;
    const run = runs.find((one) => one.id === id);
    const column = columns[Number(cell?.getAttribute('aria-colindex')) - LEADING - 1];
    if (cell === null || run === undefined || column === undefined) return;
    event.preventDefault();
    const active = document.activeElement;
    const from = active instanceof HTMLElement ? active : null;
    setOpened({ run, column, text: cell.textContent ?? '', at: { x, y }, from });
  };
  const menu =
    opened === null ? null : (
      <CellMenu
        {...opened}
        actions={actions}
        later={cells.metrics.get(opened.run.id)}
        onClose={() => setOpened(null)}
      />
    );
  return { menu, onContextMenu };
}

interface CellMenuProps extends OpenedCell {
  actions: CellActions;
  later: ReturnType<TableCells['metrics']['get']>;
  onClose(): void;
}

/** Runs like this one or unlike it, at one press. */
function CellMenu({ run, column, text, at, from, later, actions, onClose }: CellMenuProps) {
  const { onFilter, onGroup, pins, onPin } = actions;
  const title = columnTitle(column);
  const field = groupFieldOf(column);
  const conditions = cellConditions(run, column, later);
  return (
    <FloatingMenu
      label={`${title} of run ${run.number}`}
      {...{ at, from, onClose }}
      entries={[
        ...conditions.map(({ label, condition }) => ({ label, run: () => onFilter(condition) })),
        ...(field === null ? [] : [{ label: `Group by ${title}`, run: () => onGroup(field) }]),
        {
          label: pins.includes(run.number) ? `Unpin run ${run.number}` : `Pin run ${run.number} to the top`,
          run: () => onPin([run.number]),
        },
        ...(text === '' ? [] : [{ label: 'Copy', run: () => void copyText(text, 'The value is copied.') }]),
      ]}
    />
  );
}
