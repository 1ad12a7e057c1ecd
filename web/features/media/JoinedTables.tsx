import { useMemo, useState } from 'react';
import { useMedia } from './useMedia.ts';
import type { MediaRun } from './mediaRun.ts';
import { TableView } from './TableView.tsx';

export interface JoinedTablesProps {
  name: string;
  /** Two runs, and the step of each whose table is joined. */
  sides: readonly { run: MediaRun; step: number }[];
}

/** The tables of two runs in one, row by row where a column that both have is the same, with the differences. */
export function JoinedTables({ name, sides }: JoinedTablesProps) {
  const [left, right] = sides;
  const first = useFirstTable(left?.run.id ?? '', name, left?.step ?? 0);
  const second = useFirstTable(right?.run.id ?? '', name, right?.step ?? 0);
  const [chosen, setChosen] = useState('');
  const common = useMemo(
    () => (first === null || second === null ? [] : first.columns.filter((column) => second.columns.includes(column))),
    [first, second],
  );
  if (left === undefined || right === undefined || first === null || second === null || common.length === 0)
    return null;
  return (
    <div className="stack media-joined">
      <label>
        Join by{' '}
        <select className="input" value={chosen} onChange={(event) => setChosen(event.target.value)}>
          <option value="">a column …</option>
          {common.map((column) => (
            <option key={column}>{column}</option>
          ))}
        </select>
      </label>
      {common.includes(chosen) && (
        <TableView
          label={`${name}, joined by ${chosen}`}
          joinBy={chosen}
          sources={[
            { url: first.url, label: left.run.label },
            { url: second.url, label: right.run.label },
          ]}
        />
      )}
    </div>
  );
}

function useFirstTable(runId: string, name: string, step: number): { url: string; columns: string[] } | null {
  const { data } = useMedia(runId, name, [step, step]);
  const table = data?.pages[0]?.[0];
  const columns: unknown = Object(table?.metadata).columns;
  if (table?.url == null || !Array.isArray(columns)) return null;
  return { url: table.url, columns: columns.filter((column) => typeof column === 'string') };
}
