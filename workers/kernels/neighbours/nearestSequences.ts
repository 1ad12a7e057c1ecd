/** Sequences whose nearest rows are wanted: query i is `items[starts[i] .. starts[i] + lengths[i]]`, 1 to M items long. */
export interface Queries {
  items: Uint32Array;
  starts: Uint32Array;
  lengths: Uint16Array;
}

/** The nearest rows of each query: greatest kernel value first, ties to the lowest row number. */
export interface NearestSequences {
  /** Rows kept for each query. */
  count: number;
  /** (queries, count), -1 where there are fewer rows. */
  rows: Int32Array;
  /** Kernel values, (queries, count). */
  values: Float64Array;
  /** Pairs of query and row with at least one aligned match. */
  matchedPairs: number;
  /** Different patterns (T, T', matches) among them: as many kernel values were computed. */
  distinctPatterns: number;
}

export function emptyNearestSequences(queryCount: number, count: number): NearestSequences {
  return {
    count,
    rows: new Int32Array(queryCount * count).fill(-1),
    values: new Float64Array(queryCount * count),
    matchedPairs: 0,
    distinctPatterns: 0,
  };
}

/**
 * Share of queries whose k-th and (k+1)-th nearest rows have the same value, so that the tie rule decides who is a
 * neighbour. `nearest` must hold k + 1 rows a query; where there is no (k+1)-th row there is no tie.
 */
export function boundaryTieFraction(nearest: NearestSequences, k: number): number {
  const queryCount = nearest.rows.length / nearest.count;
  let ties = 0;
  for (let at = k - 1; at < nearest.rows.length; at += nearest.count) {
    if (nearest.rows[at + 1] >= 0 && nearest.values[at] === nearest.values[at + 1]) ties++;
  }
  return ties / queryCount;
}
