import { WarrenError } from '#src/contracts/errors.ts';
import { compileKernels, instantiateKernels } from '#workers/wasm/calls/kernelModule.ts';
import { MemoryArena } from '#workers/wasm/memory/memoryArena.ts';
import * as fields from '#workers/wasm/fields/searchFields.ts';
import { ThreadPool } from '#workers/wasm/threads/threadPool.ts';
import { authorCoefficients } from '../pattern/authorPatternKernel.ts';
import { lengthsByValue } from '../pattern/lengthsByValue.ts';
import type { NeighbourRows } from './neighbourRows.ts';
import type { NearestSequences, Queries } from './nearestSequences.ts';
import type { PatternKernel, PatternKernelTables } from '../pattern/patternKernelTables.ts';
import { recurrentCoefficients } from '../recurrent/recurrentCoefficients.ts';

const POLL_MS = 20;
/** Patterns that a thread's table has room for at first; it doubles. */
const FIRST_PATTERNS = 4096;

export interface SearchOptions {
  kernel: PatternKernel;
  /** Rows kept for each query. */
  count: number;
  /** Called now and then with the number of queries done; may throw to stop. */
  betweenQueries?: (done: number) => void;
}

/**
 * `sparseNearestRows` in WebAssembly on `threads` threads: the same rows and values to the bit. The index and the kernel's
 * tables are shared; each thread has its own masks and its own pattern table, and evaluates new patterns two at a time.
 * Threads are gone when it returns or throws. Needs `kernelsAreBuilt()`.
 */
export async function parallelNearestRows(
  rows: NeighbourRows,
  queries: Queries,
  { kernel, count, threads, betweenQueries }: SearchOptions & { threads: number },
): Promise<NearestSequences> {
  const module = await compileKernels();
  const arena = new MemoryArena();
  const job = placeJob(arena, { rows, queries, tables: kernel.tables, count });
  const lanes = Array.from({ length: threads }, () => placeLane(arena, rows, kernel.tables));
  arena.words(job, fields.JOB_WORDS)[fields.ARENA_TOP] = arena.top;

  const pool = new ThreadPool(threads, { module, memory: arena.memory });
  const words = arena.words(job, fields.JOB_WORDS);
  let stopped: unknown;
  const poll = setInterval(() => {
    if (stopped !== undefined) return;
    try {
      betweenQueries?.(Atomics.load(words, fields.DONE));
    } catch (thrown) {
      stopped = thrown;
      Atomics.store(words, fields.STOP, 1);
    }
  }, POLL_MS);
  try {
    const results = await pool.run(lanes.map((lane) => ({ name: 'search', parameters: [job, lane] })));
    if (stopped !== undefined) throw stopped;
    if (results.includes(fields.RESULT_OUT_OF_MEMORY)) throw outOfMemory();
  } finally {
    clearInterval(poll);
    await pool.close();
  }
  return collect(arena, { job, lanes, module, count, queryCount: queries.starts.length });
}

function outOfMemory(): WarrenError {
  return new WarrenError(
    'OUT_OF_MEMORY',
    'the patterns of this dataset need more than 4 GiB: a smaller maximumLength is needed',
  );
}

/** The job's structure, with copies of the index, the queries and the kernel's tables. */
function placeJob(
  arena: MemoryArena,
  given: { rows: NeighbourRows; queries: Queries; tables: PatternKernelTables; count: number },
): number {
  const { rows, queries, tables, count } = given;
  const { options } = tables;
  const queryCount = queries.starts.length;
  const values: [number, number][] = [
    [fields.QUERY_COUNT, queryCount],
    [fields.QUERY_ITEMS, arena.place(queries.items)],
    [fields.QUERY_STARTS, arena.place(queries.starts)],
    [fields.QUERY_LENGTHS, arena.place(queries.lengths)],
    [fields.ROW_COUNT, rows.rowCount],
    [fields.ROW_LENGTHS, arena.place(rows.lengths)],
    [fields.LENGTH_OFFSETS, arena.place(rows.lengthOffsets)],
    [fields.ROWS_BY_LENGTH, arena.place(rows.rowsByLength)],
    [fields.POSTING_OFFSETS, arena.place(rows.postingOffsets)],
    [fields.POSTING_ROW, arena.place(rows.postingRow)],
    [fields.POSTING_FIRST, arena.place(rows.postingFirst)],
    [fields.POSTING_LAST, arena.place(rows.postingLast)],
    [fields.MAXIMUM_LENGTH, options.maximumLength],
    [fields.MASK_WORDS, tables.maskWords],
    [fields.COUNT, count],
    [fields.OUT_ROWS, arena.place(new Int32Array(queryCount * count).fill(-1))],
    [fields.OUT_VALUES, arena.reserve(queryCount * count * 8)],
    [fields.ORDER, arena.place(lengthsByValue(tables))],
    [fields.UNMATCHED, arena.place(tables.unmatched)],
    [fields.SCALES, arena.place(tables.scales)],
    [fields.VALUES, arena.place(tables.values)],
    [fields.GRADIENTS, arena.place(tables.gradients)],
    [fields.LAYERS, options.network.layers],
    [fields.IS_AUTHOR, options.variant === 'author' ? 1 : 0],
    [fields.IS_NNGP, options.kernel === 'nngp' ? 1 : 0],
    [fields.COEFFICIENTS, arena.place(coefficients(tables))],
    [fields.ACTIVATION, ACTIVATION_NUMBERS[options.network.activation]],
  ];
  const job = arena.reserve(fields.JOB_WORDS * 4);
  const words = arena.words(job, fields.JOB_WORDS);
  for (const [field, value] of values) words[field] = value;
  return job;
}

function coefficients({ options }: PatternKernelTables): Float64Array {
  const { squareW, squareU, squareB, squareV } = recurrentCoefficients(options.network);
  if (options.variant === 'author') {
    const author = authorCoefficients(options);
    return Float64Array.of(
      author.squareW,
      author.squareU,
      author.squareB,
      author.squareV,
      author.memory,
      author.output,
    );
  }
  const layers = Array.from(squareW, (square, l) => [square, squareU[l], squareB[l]]);
  return Float64Array.from([...layers.flat(), squareV]);
}

const ACTIVATION_NUMBERS: Readonly<Record<string, number>> = {
  relu: fields.ACTIVATION_RELU,
  erf: fields.ACTIVATION_ERF,
  linear: fields.ACTIVATION_LINEAR,
};

/** Slots for a query that touches all rows: at least a quarter more than rows, a power of two. The search takes fewer. */
function rowSlots(rowCount: number): number {
  return 2 ** Math.max(1, 32 - Math.clz32(Math.floor(rowCount * 1.25)));
}

/** What one thread owns. */
function placeLane(arena: MemoryArena, rows: NeighbourRows, tables: PatternKernelTables): number {
  const slots = 2 * FIRST_PATTERNS;
  const values: [number, number][] = [
    [fields.ROW_SLOTS, arena.reserve(rowSlots(rows.rowCount) * 4)],
    [fields.MASKS, arena.reserve(rows.rowCount * tables.maskWords * 4)],
    [fields.TOUCHED, arena.reserve(rows.rowCount * 4)],
    [fields.NUMBERS, arena.reserve(rows.rowCount * 4)],
    [fields.SLOTS, arena.place(new Int32Array(slots).fill(-1))],
    [fields.SLOT_COUNT, slots],
    [fields.KEYS, arena.reserve(FIRST_PATTERNS * (tables.maskWords + 1) * 4)],
    [fields.PATTERN_VALUES, arena.reserve(FIRST_PATTERNS * 8)],
    [fields.CAPACITY, FIRST_PATTERNS],
    [fields.STATE, arena.reserve(tables.options.network.layers * 32)],
  ];
  const lane = arena.reserve(fields.LANE_WORDS * 4);
  const words = arena.words(lane, fields.LANE_WORDS);
  for (const [field, value] of values) words[field] = value;
  return lane;
}

async function collect(
  arena: MemoryArena,
  done: { job: number; lanes: number[]; module: WebAssembly.Module; count: number; queryCount: number },
): Promise<NearestSequences> {
  const { job, lanes, count, queryCount } = done;
  const { mergePatterns } = await instantiateKernels(done.module, arena.memory);
  let distinctPatterns = arena.words(lanes[0], fields.LANE_WORDS)[fields.SIZE];
  for (const lane of lanes.slice(1)) {
    distinctPatterns = mergePatterns(job, lanes[0], lane);
    if (distinctPatterns < 0) throw outOfMemory();
  }
  let matchedPairs = 0;
  for (const lane of lanes) matchedPairs += arena.doubles(lane + fields.MATCHED_PAIRS * 4, 1)[0];
  const words = arena.words(job, fields.JOB_WORDS);
  return {
    count,
    rows: arena.words(words[fields.OUT_ROWS] >>> 0, queryCount * count).slice(),
    values: arena.doubles(words[fields.OUT_VALUES] >>> 0, queryCount * count).slice(),
    matchedPairs,
    distinctPatterns,
  };
}
