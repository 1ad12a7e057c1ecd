import { decodeNpyTable } from '#src/base/contracts/npyTable.ts';
import type { NumberTable } from '#workers/math/embeddings/numberTable.ts';
import { formatBytes } from '#web/lib/formatBytes.ts';
import { formatCount } from '#web/lib/formatNumber.ts';
import type { EmbeddingSource } from './embeddingMessages.ts';

/** What a page may hold and a reader may wait for. */
export const MOST_BYTES = 256e6;
export const MOST_ROWS = 200_000;
export const MOST_COLUMNS = 2048;

/** Fetches an embedding. @throws Error or WarrenError that says what is wrong with it and what would be right. */
export async function fetchEmbedding(source: EmbeddingSource): Promise<NumberTable> {
  const { url, name, sizeBytes } = source;
  if (sizeBytes > MOST_BYTES) {
    throw new Error(
      `${name} has ${formatBytes(sizeBytes)}; the page shows files of ${formatBytes(MOST_BYTES)} at most.`,
    );
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${name} cannot be read (status ${response.status}); load the page again.`);
  return embeddingOf(new Uint8Array(await response.arrayBuffer()), name);
}

/** An embedding from its file. @throws Error or WarrenError as `fetchEmbedding`. */
export function embeddingOf(bytes: Uint8Array, name: string): NumberTable {
  const table = decodeNpyTable(bytes, name);
  const { rows, columns, values } = table;
  if (rows < 3 || columns < 1) {
    throw new Error(`${name}: its shape is (${rows}, ${columns}); expected at least 3 rows and a column.`);
  }
  if (rows > MOST_ROWS || columns > MOST_COLUMNS) {
    const most = `${formatCount(MOST_ROWS)} rows and ${formatCount(MOST_COLUMNS)} columns`;
    throw new Error(`${name}: its shape is (${rows}, ${columns}); the page shows ${most} at most.`);
  }
  const wrong = new Set<number>();
  for (let at = 0; at < values.length; at++) if (!Number.isFinite(values[at])) wrong.add(Math.floor(at / columns));
  if (wrong.size > 0) {
    const [first] = wrong;
    const how =
      wrong.size === 1 ? `row ${first} has` : `${formatCount(wrong.size)} rows, the first of them row ${first}, have`;
    throw new Error(`${name}: ${how} numbers that are NaN or infinite; expected finite ones. Rows are counted from 0.`);
  }
  return table;
}
