import { useState } from 'react';
import { coerceError } from '#src/base/lib/coerceError.ts';
import type { TableFormat } from '#src/base/lib/groupedTable.ts';
import { downloadArtifact } from '#web/api/downloadArtifact.ts';
import { fetchAllRuns } from './fetchAllRuns.ts';
import type { RunsQueryInput } from './useRuns.ts';
import { Button } from '#web/components/Button.tsx';
import { copyText } from '#web/components/copyText.ts';
import { Popover } from '#web/components/Popover.tsx';
import { showToast } from '#web/components/toasts.ts';
import { metricOfColumn } from '#web/lib/runColumn.ts';
import { saveFile } from '#web/lib/saveFile.ts';
import { runsTableText } from './runsTableText.ts';

export interface RunsExportProps {
  input: RunsQueryInput;
  columns: readonly string[];
}

const FORMATS: readonly { format: TableFormat; title: string; type: string; extension: string }[] = [
  { format: 'csv', title: 'CSV', type: 'text/csv', extension: 'csv' },
  { format: 'md', title: 'Markdown', type: 'text/markdown', extension: 'md' },
  { format: 'latex', title: 'LaTeX', type: 'text/x-tex', extension: 'tex' },
];

/** All runs that match, loaded or not, as a table with the columns that are shown; or every point of them. */
export function RunsExport({ input, columns }: RunsExportProps) {
  return (
    <Popover label="Export" title="Export the runs that match" look="quiet">
      <ExportPanel input={input} columns={columns} />
    </Popover>
  );
}

function ExportPanel({ input, columns }: RunsExportProps) {
  const [pending, setPending] = useState(false);
  const act = async (work: () => Promise<void>) => {
    setPending(true);
    try {
      await work();
    } catch (error) {
      showToast(coerceError(error).message, { error: true });
    }
    setPending(false);
  };
  const read = async (format: TableFormat) => {
    const metrics = columns.map(metricOfColumn).filter((name) => name !== null);
    return runsTableText(await fetchAllRuns({ ...input, metrics }), columns, format);
  };
  const points = (format: string) => {
    const search = new URLSearchParams({ format, ...(input.inTrash ? { inTrash: 'true' } : {}) });
    if (input.project !== null) search.set('project', input.project);
    if (input.filter !== '') search.set('filter', input.filter);
    return downloadArtifact(`/export?${search}`, `warren-runs.${format}`);
  };
  return (
    <div className="popover-body">
      <p className="muted">All that match, with the columns that are shown</p>
      {FORMATS.map(({ format, title, type, extension }) => (
        <div className="row" key={format}>
          <span className="groups-format">{title}</span>
          <Button
            aria-label={`Copy ${title}`}
            disabled={pending}
            onClick={() =>
              void act(async () => {
                await copyText(await read(format), `${title} copied.`);
              })
            }
          >
            Copy
          </Button>
          <Button
            aria-label={`Save ${title}`}
            disabled={pending}
            onClick={() =>
              void act(async () =>
                saveFile(new Blob([await read(format)], { type: `${type};charset=utf-8` }), `runs.${extension}`),
              )
            }
          >
            Save
          </Button>
        </div>
      ))}
      <p className="muted">Every point of their metrics</p>
      <div className="row">
        <Button disabled={pending} onClick={() => void act(() => points('csv'))}>
          Save points as CSV
        </Button>
        <Button disabled={pending} onClick={() => void act(() => points('jsonl'))}>
          Save points as JSON lines
        </Button>
      </div>
    </div>
  );
}
