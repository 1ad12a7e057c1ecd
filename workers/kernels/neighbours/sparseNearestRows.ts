import { BestRows } from './bestRows.ts';
import { lengthsByValue } from '../pattern/lengthsByValue.ts';
import type { NeighbourRows } from './neighbourRows.ts';
import { emptyNearestSequences, type NearestSequences, type Queries } from './nearestSequences.ts';
import { PatternNumbers } from '../pattern/patternNumbers.ts';
import type { PatternKernel } from '../pattern/patternKernelTables.ts';

/** Touched rows of the query in work: which, and their match masks, found by row number. */
interface Matches {
  count: number;
  rows: Uint32Array;
  /** 1 + number of the query that last touched a row. (rows) */
  stamps: Uint32Array;
  /** (rows, maskWords) */
  masks: Uint32Array;
}

/**
 * The nearest rows of each query, exactly as the dense computation finds them, ties included, without its matrix.
 *
 * A pair's value depends only on its pattern (`PatternKernelTables`). The inverted index finds every pair with an aligned match;
 * each different pattern is evaluated once; pairs without a match share one value per (T, T'), so of those only the rows
 * with the lowest numbers of the best lengths can be near, and few are looked at. O(matched pairs) time, O(rows) memory.
 * `betweenQueries` is called with the number of queries done; it may throw to stop.
 */
export function sparseNearestRows(
  rows: NeighbourRows,
  queries: Queries,
  { kernel, count, betweenQueries }: { kernel: PatternKernel; count: number; betweenQueries?: (done: number) => void },
): NearestSequences {
  const { maskWords } = kernel.tables;
  const nearest = emptyNearestSequences(queries.starts.length, count);
  const patterns = new PatternNumbers(maskWords);
  let patternValues = new Float64Array(1 << 12);
  const order = lengthsByValue(kernel.tables);
  const best = new BestRows(count);
  const matches: Matches = {
    count: 0,
    rows: new Uint32Array(rows.rowCount),
    stamps: new Uint32Array(rows.rowCount),
    masks: new Uint32Array(rows.rowCount * maskWords),
  };
  for (let query = 0; query < queries.starts.length; query++) {
    betweenQueries?.(query);
    const length = queries.lengths[query];
    best.clear();
    collectMatches(rows, queries, { query, matches, maskWords });
    nearest.matchedPairs += matches.count;
    for (let at = 0; at < matches.count; at++) {
      const row = matches.rows[at];
      const known = patterns.size;
      const pattern = patterns.numberOf(length, rows.lengths[row], matches.masks, row * maskWords);
      if (pattern === known) {
        if (pattern === patternValues.length) patternValues = doubled(patternValues);
        patternValues[pattern] = kernel.value(length, rows.lengths[row], matches.masks, row * maskWords);
      }
      best.offer(row, patternValues[pattern]);
    }
    offerUnmatched(rows, best, { query, length, matches, order, kernel });
    nearest.rows.set(best.rows.subarray(0, best.size), query * count);
    nearest.values.set(best.values.subarray(0, best.size), query * count);
  }
  nearest.distinctPatterns = patterns.size;
  return nearest;
}

function collectMatches(
  rows: NeighbourRows,
  queries: Queries,
  { query, matches, maskWords }: { query: number; matches: Matches; maskWords: number },
): void {
  const { postingOffsets, postingRow, postingFirst, postingLast } = rows;
  const { stamps, masks } = matches;
  const end = queries.starts[query] + queries.lengths[query];
  matches.count = 0;
  for (let d = queries.lengths[query] - 1; d >= 0; d--) {
    const item = queries.items[end - 1 - d];
    const stop = postingOffsets[item + 1];
    for (let posting = postingOffsets[item]; posting < stop && postingLast[posting] >= d; posting++) {
      if (postingFirst[posting] > d) continue;
      const row = postingRow[posting] + d;
      if (stamps[row] !== query + 1) {
        stamps[row] = query + 1;
        matches.rows[matches.count++] = row;
        masks.fill(0, row * maskWords, (row + 1) * maskWords);
      }
      masks[row * maskWords + (d >> 5)] |= 1 << (d & 31);
    }
  }
}

/** Rows without a match, best lengths first, until no further one of a length can be among the best. */
function offerUnmatched(
  rows: NeighbourRows,
  best: BestRows,
  by: { query: number; length: number; matches: Matches; order: Uint16Array; kernel: PatternKernel },
): void {
  const { maximumLength, lengthOffsets, rowsByLength } = rows;
  const { unmatched } = by.kernel.tables;
  for (let rank = 0; rank < maximumLength; rank++) {
    const other = by.order[by.length * maximumLength + rank];
    const value = unmatched[by.length * (maximumLength + 1) + other];
    if (best.size === best.rows.length && best.values[best.size - 1] > value) return;
    for (let at = lengthOffsets[other]; at < lengthOffsets[other + 1]; at++) {
      const row = rowsByLength[at];
      if (by.matches.stamps[row] !== by.query + 1 && !best.offer(row, value)) break;
    }
  }
}

function doubled(values: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const grown = new Float64Array(values.length * 2);
  grown.set(values);
  return grown;
}
