import { BestRows } from './bestRows.ts';
import type { Neighbours, RowPlaces } from './neighbourVotes.ts';

/** Rows as sets of items (input and target) with an index from each item to the rows that have it. */
export interface OverlapIndex {
  places: RowPlaces;
  /** Different items of each row. (rows) */
  distinct: Uint32Array;
  /** (items + 1) */
  rowOffsets: Uint32Array;
  rows: Uint32Array;
}

export function overlapIndex(places: RowPlaces, itemCount: number): OverlapIndex {
  const { items, starts, lengths } = places;
  const rowCount = starts.length;
  const distinct = new Uint32Array(rowCount);
  const rowOffsets = new Uint32Array(itemCount + 1);
  const lastRow = new Int32Array(itemCount).fill(-1);
  const eachItem = (visit: (item: number, row: number) => void): void => {
    lastRow.fill(-1);
    for (let row = 0; row < rowCount; row++) {
      for (let at = starts[row]; at <= starts[row] + lengths[row]; at++) {
        const item = items[at];
        if (lastRow[item] === row) continue;
        lastRow[item] = row;
        visit(item, row);
      }
    }
  };
  eachItem((item, row) => {
    distinct[row]++;
    rowOffsets[item + 1]++;
  });
  for (let item = 0; item < itemCount; item++) rowOffsets[item + 1] += rowOffsets[item];
  const next = rowOffsets.slice();
  const rows = new Uint32Array(rowOffsets[itemCount]);
  eachItem((item, row) => {
    rows[next[item]++] = row;
  });
  return { places, distinct, rowOffsets, rows };
}

export interface OverlapQuery {
  history: Uint32Array;
  /** The user's own row, which is no neighbour; -1 for none. */
  ownRow: number;
}

export interface OverlapMeasure {
  /**
   * Weight of the item `distance` places before the end of the query (the last is 0). An item that comes twice has the
   * weight of its last place.
   */
  weight: (distance: number) => number;
  /** Whether the query's norm is that of its weights (cosine), or the root of its length (STAN, Garg et al. 2019, Eq. 3). */
  norm: 'weights' | 'length';
  /** A factor above 0 for each row, such as how near in time it is to the query. */
  rowFactor: ((row: number) => number) | null;
}

/**
 * The k rows with the greatest Σ_i w(i) [i in row] / (|query| · sqrt(|row|)) for a query, greatest first, ties to the lowest
 * row; only rows that share an item with the query. Reused from query to query.
 */
export class OverlapSearch {
  readonly #index: OverlapIndex;
  readonly #overlap: Float64Array;
  readonly #touched: Uint32Array;
  readonly #best: BestRows;

  constructor(index: OverlapIndex, k: number) {
    this.#index = index;
    this.#overlap = new Float64Array(index.distinct.length);
    this.#touched = new Uint32Array(index.distinct.length);
    this.#best = new BestRows(k);
  }

  /** Views that the next search overwrites. */
  nearest({ history, ownRow }: OverlapQuery, { weight, norm, rowFactor }: OverlapMeasure): Neighbours {
    const { rowOffsets, rows, distinct } = this.#index;
    const overlap = this.#overlap;
    const best = this.#best;
    const seen = new Set<number>();
    let touched = 0;
    let squares = 0;
    for (let distance = 0; distance < history.length; distance++) {
      const item = history[history.length - 1 - distance];
      if (seen.has(item)) continue;
      seen.add(item);
      const itemWeight = weight(distance);
      squares += itemWeight * itemWeight;
      for (let at = rowOffsets[item]; at < rowOffsets[item + 1]; at++) {
        const row = rows[at];
        if (overlap[row] === 0) this.#touched[touched++] = row;
        overlap[row] += itemWeight;
      }
    }
    const queryNorm = norm === 'weights' ? squares : history.length;
    best.clear();
    for (let at = 0; at < touched; at++) {
      const row = this.#touched[at];
      const similarity = (overlap[row] / Math.sqrt(queryNorm * distinct[row])) * (rowFactor?.(row) ?? 1);
      overlap[row] = 0;
      if (row !== ownRow && similarity > 0) best.offer(row, similarity);
    }
    return { rows: best.rows.subarray(0, best.size), values: best.values.subarray(0, best.size) };
  }
}
