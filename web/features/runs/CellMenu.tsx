import { type MouseEvent, useState } from 'react';
import type { RunRow } from '#web/api/useRuns.ts';
import { copyText } from '#web/components/copyText.ts';
import { FloatingMenu } from '#web/components/FloatingMenu.tsx';
import { cellConditions, groupFieldOf } from './cellConditions.ts';
import { columnTitle } from './columnTitle.ts';
import { LEADING } from './RunTableRow.tsx';
import type { TableCells } from './useTableCells.ts';

/** Narrows what the table shows, from one of its cells. */
export interface TableNarrowing {
  /** Adds a condition to the filter. */
  onFilter(condition: string): void;
  /** Groups the runs by a field. */
  onGroup(field: string): void;
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
  narrowing: TableNarrowing,
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
    if (cellConditions(run, column, cells.metrics.get(run.id)).length === 0) return;
    event.preventDefault();
    const active = document.activeElement;
    const from = active instanceof HTMLElement ? active : null;
    setOpened({
      run,
      column,
      text: cell.textContent ?? '',
      at: { x, y },
      from,
    });
  };
  const menu =
    opened === null ? null : (
      <CellMenu {...opened} {...narrowing} later={cells.metrics.get(opened.run.id)} onClose={() => setOpened(null)} />
    );
  return { menu, onContextMenu };
}

type CellMenuProps = OpenedCell &
  TableNarrowing & {
    later: ReturnType<TableCells['metrics']['get']>;
    onClose(): void;
  };

/** Runs like this one or unlike it, at one press. */
function CellMenu({ run, column, text, at, from, later, onFilter, onGroup, onClose }: CellMenuProps) {
  const field = groupFieldOf(column);
  return (
    <FloatingMenu
      label={`${columnTitle(column)} of run ${run.number}`}
      {...{ at, from, onClose }}
      entries={[
        ...cellConditions(run, column, later).map(({ label, condition }) => ({
          label,
          run: () => onFilter(condition),
        })),
        ...(field === null
          ? []
          : [
              {
                label: `Group by ${columnTitle(column)}`,
                run: () => onGroup(field),
              },
            ]),
        ...(text === ''
          ? []
          : [
              {
                label: 'Copy',
                run: () => void copyText(text, 'The value is copied.'),
              },
            ]),
      ]}
    />
  );
}
