import type { LoadedEmbeddings } from './embeddingMessages.ts';

// An item is named by its row in the first embedding; in the second it may be another row, or none.

/** The row of the first embedding that is the same item as a row of one of both; -1: none is. */
export function rowInFirst({ match }: LoadedEmbeddings, cloud: number, row: number): number {
  return cloud === 0 || match === null ? row : (match.toFirst[row] ?? -1);
}

/** The row of one of both embeddings that is the same item as a row of the first; -1: none is. */
export function rowInCloud({ match, rows }: LoadedEmbeddings, cloud: number, row: number): number {
  if (cloud > 0 && match !== null) return match.toSecond[row] ?? -1;
  return row < (rows[cloud] ?? 0) ? row : -1;
}
