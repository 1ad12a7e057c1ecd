import { useMemo } from 'react';
import { formatNumber } from '#web/lib/formatNumber.ts';
import { type NpyPreview, previewNpy } from './npyPreview.ts';
import { useContent } from './useContent.ts';

/** Header and first numbers. */
const BEGINNING = 8_192;
const MOST_COLUMNS = 10;

/** Shape, type and first numbers of an array. */
export function ArrayPreview({ url }: { url: string }) {
  const { data, error } = useContent(url, BEGINNING);
  const preview = useMemo(() => (data === undefined ? null : read(data.bytes)), [data]);
  if (error !== null) return <p className="danger-text">{error.message}</p>;
  if (preview === null) return <p className="empty">Loading …</p>;
  if (typeof preview === 'string') return <p className="danger-text">The array cannot be shown: {preview}.</p>;
  const width = Math.max(1, Math.min(MOST_COLUMNS, preview.shape.at(-1) ?? 1));
  const extent = preview.shape.at(-1) ?? 1;
  const rows = preview.values.length === 0 ? [] : rowsOf(preview.values, extent);
  return (
    <>
      <p className="muted">
        ({preview.shape.join(', ')}) of {preview.type}; its beginning. <a href={url}>Download</a>
      </p>
      <div className="table-scroll">
        <table className="table">
          <tbody>
            {rows.map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows of numbers have no other name
              <tr key={index}>
                {row.slice(0, width).map((value, column) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: numbers of a row have no other name
                  <td className="number" key={column}>
                    {formatNumber(value)}
                  </td>
                ))}
                {row.length > width && <td>…</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function rowsOf(values: readonly number[], extent: number): number[][] {
  const count = Math.min(8, Math.ceil(values.length / extent));
  return Array.from({ length: count }, (_, row) => values.slice(row * extent, (row + 1) * extent));
}

function read(bytes: Uint8Array): NpyPreview | string {
  try {
    return previewNpy(bytes);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
