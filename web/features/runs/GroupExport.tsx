import { type TableFormat, writeGroupedTable } from '#src/lib/groupedTable.ts';
import type { ShownGroups } from '#src/lib/shownGroups.ts';
import { Button } from '#web/components/Button.tsx';
import { Popover } from '#web/components/Popover.tsx';
import { showToast } from '#web/components/toasts.ts';

const FORMATS: readonly { format: TableFormat; title: string; type: string; extension: string }[] = [
  { format: 'csv', title: 'CSV', type: 'text/csv', extension: 'csv' },
  { format: 'md', title: 'Markdown', type: 'text/markdown', extension: 'md' },
  { format: 'latex', title: 'LaTeX', type: 'text/x-tex', extension: 'tex' },
];

/** The grouped table for a paper, a report or a spreadsheet: copied, or saved as a file. */
export function GroupExport({ table, complete }: { table: ShownGroups; complete: boolean }) {
  const copy = async (format: TableFormat, title: string) => {
    await navigator.clipboard.writeText(writeGroupedTable(table, format));
    showToast(`${title} copied`);
  };
  return (
    <div className="spread">
      <Popover label="Export" title="Export the groups">
        <div className="column-panel">
          {!complete && <p className="muted">Only the groups that are shown: show more first.</p>}
          {FORMATS.map(({ format, title, type, extension }) => (
            <div className="row" key={format}>
              <span className="groups-format">{title}</span>
              <Button onClick={() => void copy(format, title)}>Copy {title}</Button>
              <a
                className="button"
                download={`groups.${extension}`}
                href={`data:${type};charset=utf-8,${encodeURIComponent(writeGroupedTable(table, format))}`}
              >
                Save {title}
              </a>
            </div>
          ))}
        </div>
      </Popover>
    </div>
  );
}
