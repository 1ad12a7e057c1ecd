import { kernelsAreBuilt } from '#workers/wasm/calls/kernelModule.ts';
import type { NeighbourRows } from './neighbourRows.ts';
import type { NearestSequences, Queries } from './nearestSequences.ts';
import { parallelNearestRows, type SearchOptions } from './parallelNearestRows.ts';
import { sparseNearestRows } from './sparseNearestRows.ts';

/** Below this many visits of postings, starting threads takes longer than they save (25 ms against 50 ns a visit). */
const FEWEST_VISITS = 500_000;

export interface SearchOutcome extends NearestSequences {
  /** What computed it; the numbers are the same. */
  computedBy: 'wasm' | 'typescript';
}

/** The nearest rows of each query, in WebAssembly threads where they pay and are built, else by their TypeScript reference implementation. */
export async function nearestRowSearch(
  rows: NeighbourRows,
  queries: Queries,
  options: SearchOptions & { threads: number },
): Promise<SearchOutcome> {
  if (!kernelsAreBuilt() || postingVisits(rows, queries) < FEWEST_VISITS) {
    return { ...sparseNearestRows(rows, queries, options), computedBy: 'typescript' };
  }
  const threads = Math.max(1, Math.min(options.threads, queries.starts.length));
  return { ...(await parallelNearestRows(rows, queries, { ...options, threads })), computedBy: 'wasm' };
}

/** Postings of all items of all queries: an upper bound of the matches found. */
function postingVisits(rows: NeighbourRows, queries: Queries): number {
  let visits = 0;
  for (let query = 0; query < queries.starts.length; query++) {
    const end = queries.starts[query] + queries.lengths[query];
    for (let at = queries.starts[query]; at < end; at++) {
      const item = queries.items[at];
      visits += rows.postingOffsets[item + 1] - rows.postingOffsets[item];
    }
  }
  return visits;
}
