import { useMemo } from 'react';
import { formatCount } from '#web/lib/formatNumber.ts';
import { copyWholeCells } from '../media/copyWholeCells.ts';
import { PlainText } from '../media/TextContent.tsx';
import { useContent } from '../media/useContent.ts';
import { type TableBeginning, tableBeginning } from './tableBeginning.ts';

const MOST_BYTES = 200_000;

/** The first rows of a CSV or TSV file as a table; as text where it is none. */
export function TablePreview({ url, isTsv }: { url: string; isTsv: boolean }) {
  const { data, error } = useContent(url, MOST_BYTES);
  const found = useMemo(
    () => (data === undefined ? undefined : read(new TextDecoder().decode(data.bytes), { isTsv, isWhole: data.whole })),
    [data, isTsv],
  );
  if (error !== null) return <p className="danger-text">{error.message}</p>;
  if (data === undefined || found === undefined) return <p className="empty">Loading …</p>;
  if (found === null) return <PlainText url={url} />;
  const { columns, shownRows } = found;
  return (
    <>
      <p className="muted">
        {rowsText(found, data.whole)}
        {columns.length < found.columnCount &&
          `, the first ${columns.length} of ${formatCount(found.columnCount)} columns`}
        {(!data.whole || shownRows < found.rowCount || columns.length < found.columnCount) && (
          <>
            .{' '}
            <a href={url} target="_blank" rel="noreferrer">
              Open all of it
            </a>
          </>
        )}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <section className="table-scroll artifact-table" aria-label="First rows" tabIndex={0}>
        <table className="table" onCopy={copyWholeCells}>
          <thead>
            <tr>
              {columns.map(({ name, isNumeric }, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns may share a name
                <th key={column} scope="col" title={name} className={isNumeric ? 'number' : undefined}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {Array.from({ length: shownRows }, (_, row) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other name
              <tr key={row}>
                {columns.map(({ isNumeric, cells, texts }, column) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: as above
                  <td key={column} title={cells[row]} className={isNumeric ? 'number' : undefined}>
                    {texts[row]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}

function rowsText({ shownRows, rowCount }: TableBeginning, isWhole: boolean): string {
  if (!isWhole) return `First ${formatCount(shownRows)} of more than ${formatCount(rowCount)} rows`;
  if (shownRows < rowCount) return `First ${formatCount(shownRows)} of ${formatCount(rowCount)} rows`;
  return rowCount === 1 ? '1 row' : `${formatCount(rowCount)} rows`;
}

function read(text: string, options: { isTsv: boolean; isWhole: boolean }): TableBeginning | null {
  try {
    return tableBeginning(text, options);
  } catch {
    return null;
  }
}
