import { type TableFormat, writeGroupedTable } from '#src/base/lib/groupedTable.ts';
import type { ShownGroups } from '#src/base/lib/shownGroups.ts';
import { Button } from '#web/components/Button.tsx';
import { copyText } from '#web/components/copyText.ts';
import { Popover } from '#web/components/Popover.tsx';

const FORMATS: readonly { format: TableFormat; title: string; type: string; extension: string }[] = [
  { format: 'csv', title: 'CSV', type: 'text/csv', extension: 'csv' },
  { format: 'md', title: 'Markdown', type: 'text/markdown', extension: 'md' },
  { format: 'latex', title: 'LaTeX', type: 'text/x-tex', extension: 'tex' },
];

/** The grouped table for a paper, a report or a spreadsheet: copied, or saved as a file. */
export function GroupExport({ table, complete }: { table: ShownGroups; complete: boolean }) {
  return (
    <div>
      <Popover label="Export" title="Export the groups">
        <div className="popover-body">
          {!complete && <p className="muted">Only the groups that are shown: show more first.</p>}
          {FORMATS.map(({ format, title, type, extension }) => (
            <div className="row" key={format}>
              <span className="groups-format">{title}</span>
              <Button
                aria-label={`Copy ${title}`}
                onClick={() => void copyText(writeGroupedTable(table, format), `${title} copied.`)}
              >
                Copy
              </Button>
              <a
                className="button"
                aria-label={`Save ${title}`}
                download={`groups.${extension}`}
                href={`data:${type};charset=utf-8,${encodeURIComponent(writeGroupedTable(table, format))}`}
              >
                Save
              </a>
            </div>
          ))}
        </div>
      </Popover>
    </div>
  );
}
