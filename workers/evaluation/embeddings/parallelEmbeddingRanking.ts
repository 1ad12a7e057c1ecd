import { inChunks } from '#workers/wasm/calls/inChunks.ts';
import * as fields from '#workers/wasm/fields/rankingFields.ts';
import { type NumericScope, NumericThreads, type Placed } from '#workers/wasm/threads/numericThreads.ts';
import { checkQueries, type EmbeddingQueries, type EmbeddingScores } from './embeddingQueries.ts';
import type { RankedUsers } from '../ranking/rankedUsers.ts';

/**
 * `embeddingRankingReference` in WebAssembly SIMD on `threads` threads: the same lists and ranks to the bit. Scores live in
 * registers only. Threads are gone when it returns or throws. Needs `kernelsAreBuilt()`.
 */
export async function parallelEmbeddingRanking(
  model: EmbeddingScores,
  queries: EmbeddingQueries,
  threads: number,
): Promise<RankedUsers> {
  checkQueries(model, queries);
  const host = await NumericThreads.open(threads);
  try {
    return rankedBy(host, model, queries);
  } finally {
    await host.close();
  }
}

function rankedBy(host: NumericThreads, model: EmbeddingScores, queries: EmbeddingQueries): RankedUsers {
  const { kernels } = host;
  const scope = host.scope();
  const count = queries.users.length;
  const job = placeJob(scope, model, queries);
  inChunks({
    count,
    unit: fields.QUERIES_AT_ONCE * kernels.lanes,
    run(from, to) {
      job.values[fields.NEXT_QUERY] = from;
      job.values[fields.END_QUERY] = to;
      kernels.run('rankItems', job.address);
    },
    between: queries.betweenQueries,
  });
  const read = (field: number, length: number): Int32Array => scope.words(job.values[field]!, length).slice();
  return {
    ranks: read(fields.OUT_RANKS, count),
    bestRanks: read(fields.OUT_BEST, count),
    worstRanks: read(fields.OUT_WORST, count),
    listLength: queries.listLength,
    lists: read(fields.OUT_LISTS, count * queries.listLength),
  };
}

/** (panels, dimension, 8) Eight items side by side, NaN where there is none: it is greater than nothing and equals nothing. */
function panelsOf({ items, dimension }: EmbeddingScores): Float32Array {
  const itemCount = items.length / dimension;
  const size = fields.ITEMS_IN_PANEL;
  const panels = new Float32Array(Math.ceil(itemCount / size) * size * dimension).fill(Number.NaN);
  for (let item = 0, from = 0; item < itemCount; item++) {
    const inPanel = item % size;
    let to = (item - inPanel) * dimension + inPanel;
    for (let d = 0; d < dimension; d++, to += size) panels[to] = items[from++]!;
  }
  return panels;
}

/** Excluded items of all queries as compressed rows, ascending and different in each. */
function excludedRows({ users, excluded }: EmbeddingQueries, itemCount: number) {
  const offsets = new Uint32Array(users.length + 1);
  if (excluded === null) return { offsets, items: new Uint32Array(0) };
  for (let query = 0; query < users.length; query++) offsets[query + 1] = offsets[query]! + excluded(query).length;
  const items = new Uint32Array(offsets[users.length]!);
  let written = 0;
  for (let query = 0; query < users.length; query++) {
    const sorted = Uint32Array.from(excluded(query)).sort();
    offsets[query] = written;
    for (let at = 0; at < sorted.length && sorted[at]! < itemCount; at++) {
      if (at === 0 || sorted[at] !== sorted[at - 1]) items[written++] = sorted[at]!;
    }
  }
  offsets[users.length] = written;
  return { offsets, items: items.subarray(0, written) };
}

/** The job's structure, with copies of the embeddings and the queries. */
function placeJob(scope: NumericScope, model: EmbeddingScores, queries: EmbeddingQueries): Placed<Uint32Array> {
  const count = queries.users.length;
  const { listLength } = queries;
  const itemCount = model.items.length / model.dimension;
  const excluded = excludedRows(queries, itemCount);
  const scratchBytes = 64 * Math.ceil((fields.HEAPS + fields.QUERIES_AT_ONCE * listLength * 8) / 64);
  return scope.placeFields(fields.JOB_WORDS, [
    [fields.QUERY_USERS, scope.place(queries.users)],
    [fields.TARGETS, scope.place(queries.targets)],
    [fields.EXCLUDED_OFFSETS, scope.place(excluded.offsets)],
    [fields.EXCLUDED, scope.place(excluded.items)],
    [fields.USERS, scope.place(model.users)],
    [fields.ITEMS, scope.place(panelsOf(model))],
    [fields.PANEL_COUNT, Math.ceil(itemCount / fields.ITEMS_IN_PANEL)],
    [fields.DIMENSION, model.dimension],
    [fields.LIST_LENGTH, listLength],
    [fields.OUT_LISTS, scope.reserve(count * listLength * 4)],
    [fields.OUT_RANKS, scope.reserveZeros(count * 4)],
    [fields.OUT_BEST, scope.reserveZeros(count * 4)],
    [fields.OUT_WORST, scope.reserveZeros(count * 4)],
    [fields.SCRATCH, scope.reserve(scratchBytes * scope.threads.kernels.lanes)],
    [fields.SCRATCH_BYTES, scratchBytes],
  ]);
}
