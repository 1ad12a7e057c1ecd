import { Link } from '@tanstack/react-router';
import { type KeyboardEvent, memo } from 'react';
import type { RunRow } from '#web/api/useRuns.ts';
import { joinClasses } from '#web/lib/joinClasses.ts';
import { ConfigurationMark } from '../shared/ConfigurationMark.tsx';
import { ReplicateCell } from './ReplicateCell.tsx';
import { isNumberColumn, RunCell } from './RunCell.tsx';

interface Place {
  /** Row of the table, from 0. */
  index: number;
  columns: readonly string[];
}

export interface RunTableRowProps extends Place {
  run: RunRow;
  inGroup: boolean;
  selected: boolean;
  onToggle(id: string, range: boolean): void;
}

/** One run. Drawn again only when the run, the columns or its selection change. */
export const RunTableRow = memo(function RunTableRow(props: RunTableRowProps) {
  const { run, inGroup, selected, onToggle, index, columns } = props;
  return (
    <tr
      aria-rowindex={index + 2}
      data-row={index}
      data-run={run.id}
      className={joinClasses(selected && 'runs-selected', inGroup && 'runs-member')}
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

export interface GroupRowProps extends Place {
  hash: string;
  runs: readonly RunRow[];
}

/** The head of runs that share a configuration: which, how many, and their metrics as mean ± standard deviation. */
export function GroupRow({ hash, runs, index, columns }: GroupRowProps) {
  const first = runs[0]!;
  const metricsFrom = columns.findIndex((column) => column.startsWith('metric.'));
  const leading = metricsFrom === -1 ? columns.length : metricsFrom;
  const rest = columns.slice(leading);
  return (
    <tr className="runs-group" aria-rowindex={index + 2} data-row={index}>
      <td />
      <th scope="rowgroup" colSpan={leading + 1}>
        <span className="row runs-group-head">
          <ConfigurationMark hash={hash} />
          {first.configuration.kind}
          {first.configuration.datasetName !== null && ` on ${first.configuration.datasetName}`}
          <span className="muted">{runs.length === 1 ? '1 run' : `${runs.length} replicates`}</span>
          {runs.length > 1 && (
            <Link to="/compare" search={{ runs: runs.map((run) => run.number).join(',') }}>
              compare
            </Link>
          )}
        </span>
      </th>
      {rest.map((column) => (
        <td key={column} className={isNumberColumn(column) ? 'number' : undefined}>
          <ReplicateCell runs={runs} column={column} />
        </td>
      ))}
      <td />
    </tr>
  );
}
