import { WarrenError } from '#src/base/contracts/errors.ts';
import { inChunks } from '#workers/wasm/calls/inChunks.ts';
import * as fields from '#workers/wasm/fields/searchFields.ts';
import { type NumericScope, NumericThreads, type Placed } from '#workers/wasm/threads/numericThreads.ts';
import { authorCoefficients } from '../pattern/authorPatternKernel.ts';
import { lengthsByValue } from '../pattern/lengthsByValue.ts';
import type { NeighbourRows } from './neighbourRows.ts';
import type { NearestSequences, Queries } from './nearestSequences.ts';
import type { PatternKernel, PatternKernelTables } from '../pattern/patternKernelTables.ts';
import { recurrentCoefficients } from '../recurrent/recurrentCoefficients.ts';

/** Patterns that a lane's table has room for at first; it doubles. */
const FIRST_PATTERNS = 4096;
/** Queries of a lane in the first chunk. */
const FIRST_QUERIES = 4;

export interface SearchOptions {
  kernel: PatternKernel;
  /** Rows kept for each query. */
  count: number;
  /** Called now and then with the number of queries done; may throw to stop. */
  betweenQueries?: (done: number) => void;
}

/**
 * `sparseNearestRows` in WebAssembly on `threads` threads: the same rows and values to the bit. The index and the kernel's
 * tables are shared; each lane has its own masks and its own pattern table, and evaluates new patterns two at a time.
 * Threads are gone when it returns or throws. Needs `kernelsAreBuilt()`.
 */
export async function parallelNearestRows(
  rows: NeighbourRows,
  queries: Queries,
  { threads, ...options }: SearchOptions & { threads: number },
): Promise<NearestSequences> {
  const host = await NumericThreads.open(threads);
  try {
    return searchBy(host, { rows, queries, options });
  } finally {
    await host.close();
  }
}

interface Search {
  rows: NeighbourRows;
  queries: Queries;
  options: SearchOptions;
}

function searchBy(host: NumericThreads, search: Search): NearestSequences {
  const { kernels } = host;
  const { count, kernel, betweenQueries } = search.options;
  const queryCount = search.queries.starts.length;
  const scope = host.scope();
  const lanes = placeLanes(scope, search.rows, kernel.tables);
  const out = {
    rows: scope.place(new Int32Array(queryCount * count).fill(-1)),
    values: scope.reserveZeros(queryCount * count * 8),
  };
  const job = placeJob(scope, search, { ...out, scratch: lanes[0]!.byteOffset });
  inChunks({
    count: queryCount,
    unit: FIRST_QUERIES * kernels.lanes,
    run(from, to) {
      job.values[fields.NEXT_QUERY] = from;
      job.values[fields.END_QUERY] = to;
      do kernels.run('search', job.address);
      while (giveRoom(scope, lanes, kernel.tables));
    },
    between: betweenQueries,
  });
  kernels.run('countPatterns', job.address);
  const sum = (of: (lane: Uint32Array) => number): number => lanes.reduce((total, lane) => total + of(lane), 0);
  return {
    count,
    rows: scope.words(out.rows, queryCount * count).slice(),
    values: scope.doubles(out.values, queryCount * count).slice(),
    matchedPairs: sum(({ byteOffset }) => scope.doubles(byteOffset + fields.MATCHED_PAIRS * 4, 1)[0]),
    distinctPatterns: sum((lane) => lane[fields.OWN_PATTERNS]),
  };
}

/** The job's structure, with copies of the index, the queries and the kernel's tables. */
function placeJob(
  scope: NumericScope,
  { rows, queries, options: { kernel, count } }: Search,
  placed: { rows: number; values: number; scratch: number },
): Placed<Uint32Array> {
  const { tables } = kernel;
  const { options } = tables;
  return scope.placeFields(fields.JOB_WORDS, [
    [fields.QUERY_ITEMS, scope.place(queries.items)],
    [fields.QUERY_STARTS, scope.place(queries.starts)],
    [fields.QUERY_LENGTHS, scope.place(queries.lengths)],
    [fields.ROW_COUNT, rows.rowCount],
    [fields.ROW_LENGTHS, scope.place(rows.lengths)],
    [fields.LENGTH_OFFSETS, scope.place(rows.lengthOffsets)],
    [fields.ROWS_BY_LENGTH, scope.place(rows.rowsByLength)],
    [fields.POSTING_OFFSETS, scope.place(rows.postingOffsets)],
    [fields.POSTING_ROW, scope.place(rows.postingRow)],
    [fields.POSTING_FIRST, scope.place(rows.postingFirst)],
    [fields.POSTING_LAST, scope.place(rows.postingLast)],
    [fields.MAXIMUM_LENGTH, options.maximumLength],
    [fields.MASK_WORDS, tables.maskWords],
    [fields.COUNT, count],
    [fields.OUT_ROWS, placed.rows],
    [fields.OUT_VALUES, placed.values],
    [fields.ORDER, scope.place(lengthsByValue(tables))],
    [fields.UNMATCHED, scope.place(tables.unmatched)],
    [fields.SCALES, scope.place(tables.scales)],
    [fields.VALUES, scope.place(tables.values)],
    [fields.GRADIENTS, scope.place(tables.gradients)],
    [fields.LAYERS, options.network.layers],
    [fields.IS_AUTHOR, options.variant === 'author' ? 1 : 0],
    [fields.IS_NNGP, options.kernel === 'nngp' ? 1 : 0],
    [fields.COEFFICIENTS, scope.place(coefficients(tables))],
    [fields.ACTIVATION, ACTIVATION_NUMBERS[options.network.activation]],
    [fields.SCRATCH, placed.scratch],
  ]);
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

/** (lanes) The scratch of each, one behind the other. */
function placeLanes(scope: NumericScope, rows: NeighbourRows, tables: PatternKernelTables): Uint32Array[] {
  const { lanes } = scope.threads.kernels;
  const all = scope.placeFields(fields.LANE_WORDS * lanes, []).values;
  return Array.from({ length: lanes }, (_, lane) => {
    const words = all.subarray(fields.LANE_WORDS * lane, fields.LANE_WORDS * (lane + 1));
    words[fields.ROW_SLOTS] = scope.reserve(rowSlots(rows.rowCount) * 4);
    words[fields.MASKS] = scope.reserve(rows.rowCount * tables.maskWords * 4);
    words[fields.TOUCHED] = scope.reserve(rows.rowCount * 4);
    words[fields.NUMBERS] = scope.reserve(rows.rowCount * 4);
    words[fields.STATE] = scope.reserve(tables.options.network.layers * 32);
    words[fields.CAPACITY] = FIRST_PATTERNS;
    words[fields.SLOTS] = scope.place(new Int32Array(2 * FIRST_PATTERNS).fill(-1));
    words[fields.KEYS] = scope.reserve(FIRST_PATTERNS * (tables.maskWords + 1) * 4);
    words[fields.PATTERN_VALUES] = scope.reserve(FIRST_PATTERNS * 8);
    return words;
  });
}

/** Gives each lane that waits for it room for twice the patterns; false where none waits. */
function giveRoom(scope: NumericScope, lanes: readonly Uint32Array[], { maskWords }: PatternKernelTables): boolean {
  const waiting = lanes.filter((lane) => lane[fields.WAITING] !== 0);
  try {
    for (const lane of waiting) {
      const patterns = 2 * lane[fields.CAPACITY];
      lane[fields.NEW_SLOTS] = scope.reserve(2 * patterns * 4);
      lane[fields.NEW_KEYS] = scope.reserve(patterns * (maskWords + 1) * 4);
      lane[fields.NEW_VALUES] = scope.reserve(patterns * 8);
    }
  } catch (cause) {
    throw new WarrenError(
      'OUT_OF_MEMORY',
      'the patterns of this dataset need more than 4 GiB: a smaller maximumLength is needed',
      { cause },
    );
  }
  return waiting.length > 0;
}
