import { compileKernels } from '#workers/wasm/calls/kernelModule.ts';
import { MemoryArena } from '#workers/wasm/memory/memoryArena.ts';
import * as fields from '#workers/wasm/fields/rankingFields.ts';
import { ThreadPool } from '#workers/wasm/threads/threadPool.ts';
import { checkQueries, type EmbeddingQueries, type EmbeddingScores } from './embeddingQueries.ts';
import type { RankedUsers } from '../ranking/rankedUsers.ts';

const POLL_MS = 20;

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
  const module = await compileKernels();
  const arena = new MemoryArena();
  const job = placeJob(arena, model, queries);
  const lanes = Array.from({ length: threads }, () => placeLane(arena, queries.listLength));
  const words = arena.words(job, fields.JOB_WORDS);
  const pool = new ThreadPool(threads, { module, memory: arena.memory });
  let stopped: unknown;
  const poll = setInterval(() => {
    if (stopped !== undefined) return;
    try {
      queries.betweenQueries?.(Atomics.load(words, fields.DONE));
    } catch (thrown) {
      stopped = thrown;
      Atomics.store(words, fields.STOP, 1);
    }
  }, POLL_MS);
  try {
    await pool.run(lanes.map((lane) => ({ name: 'rankItems', parameters: [job, lane] })));
    if (stopped !== undefined) throw stopped;
  } finally {
    clearInterval(poll);
    await pool.close();
  }
  const count = queries.users.length;
  const read = (field: number, length: number): Int32Array => arena.words(words[field]! >>> 0, length).slice();
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
function placeJob(arena: MemoryArena, model: EmbeddingScores, queries: EmbeddingQueries): number {
  const count = queries.users.length;
  const itemCount = model.items.length / model.dimension;
  const excluded = excludedRows(queries, itemCount);
  const values: [number, number][] = [
    [fields.QUERY_COUNT, count],
    [fields.QUERY_USERS, arena.place(queries.users)],
    [fields.TARGETS, arena.place(queries.targets)],
    [fields.EXCLUDED_OFFSETS, arena.place(excluded.offsets)],
    [fields.EXCLUDED, arena.place(excluded.items)],
    [fields.USERS, arena.place(model.users)],
    [fields.ITEMS, arena.place(panelsOf(model))],
    [fields.PANEL_COUNT, Math.ceil(itemCount / fields.ITEMS_IN_PANEL)],
    [fields.DIMENSION, model.dimension],
    [fields.LIST_LENGTH, queries.listLength],
    [fields.OUT_LISTS, arena.reserve(count * queries.listLength * 4)],
    [fields.OUT_RANKS, arena.reserve(count * 4)],
    [fields.OUT_BEST, arena.reserve(count * 4)],
    [fields.OUT_WORST, arena.reserve(count * 4)],
  ];
  const job = arena.reserve(fields.JOB_WORDS * 4);
  const words = arena.words(job, fields.JOB_WORDS);
  for (const [field, value] of values) words[field] = value;
  return job;
}

/** What one thread owns. */
function placeLane(arena: MemoryArena, listLength: number): number {
  const values: [number, number][] = [
    [fields.STATES, arena.reserve(fields.QUERIES_AT_ONCE * fields.STATE_BYTES)],
    [fields.HEAPS, arena.reserve(fields.QUERIES_AT_ONCE * listLength * 8)],
    [fields.SCORES, arena.reserve(fields.ITEMS_IN_PANEL * 4)],
  ];
  const lane = arena.reserve(fields.LANE_WORDS * 4);
  const words = arena.words(lane, fields.LANE_WORDS);
  for (const [field, value] of values) words[field] = value;
  return lane;
}
