import { Link } from '@tanstack/react-router';
import { type KeyboardEvent, memo } from 'react';
import type { RunRow } from '#web/api/useRuns.ts';
import { joinClasses } from '#web/lib/joinClasses.ts';
import { isNumberColumn, RunCell } from './RunCell.tsx';

export interface RunTableRowProps {
  /** Row of the table, from 0. */
  index: number;
  columns: readonly string[];
  run: RunRow;
  selected: boolean;
  onToggle(id: string, range: boolean): void;
}

/** One run. Drawn again only when the run, the columns or its selection change. */
export const RunTableRow = memo(function RunTableRow(props: RunTableRowProps) {
  const { run, selected, onToggle, index, columns } = props;
  return (
    <tr
      aria-rowindex={index + 2}
      data-row={index}
      data-run={run.id}
      className={joinClasses(selected && 'runs-selected')}
    >
      <td className="runs-select">
        <input
          type="checkbox"
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
      <th scope="row" className="number">
        <Link to="/runs/$runId" params={{ runId: run.id }} aria-label={`Run ${run.number}`}>
          {run.number}
        </Link>
      </th>
      {columns.map((column) => (
        <td key={column} className={isNumberColumn(column) ? 'number' : undefined}>
          <RunCell run={run} column={column} />
        </td>
      ))}
      <td />
    </tr>
  );
});

/** Shift and Space: a click made by the keyboard does not tell of Shift. */
function isRangeKey(event: KeyboardEvent): boolean {
  return event.key === ' ' && event.shiftKey;
}
