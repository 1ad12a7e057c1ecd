// Where a search job keeps what: 32-bit words of two structures in the shared memory. Read by TypeScript and by
// AssemblyScript alike, so that both agree: only integer constants may stand here.

// The job: the same for all threads. Pointers are byte addresses.
export const QUERY_COUNT = 0;
export const QUERY_ITEMS = 1;
export const QUERY_STARTS = 2;
export const QUERY_LENGTHS = 3;
export const ROW_COUNT = 4;
export const ROW_LENGTHS = 5;
export const LENGTH_OFFSETS = 6;
export const ROWS_BY_LENGTH = 7;
export const POSTING_OFFSETS = 8;
export const POSTING_ROW = 9;
export const POSTING_FIRST = 10;
export const POSTING_LAST = 11;
export const MAXIMUM_LENGTH = 12;
export const MASK_WORDS = 13;
export const COUNT = 14;
export const OUT_ROWS = 15;
export const OUT_VALUES = 16;
export const ORDER = 17;
export const UNMATCHED = 18;
export const SCALES = 19;
export const VALUES = 20;
export const GRADIENTS = 21;
export const LAYERS = 22;
export const IS_AUTHOR = 23;
export const IS_NNGP = 24;
/** Pointer to doubles: (layers, 3) squareW, squareU, squareB, then squareV, and for the author's variant memory and output. */
export const COEFFICIENTS = 25;
/** Next query that no thread has taken (atomic). */
export const NEXT_QUERY = 26;
/** Set to 1 from outside to stop (atomic). */
export const STOP = 27;
/** Queries done (atomic). */
export const DONE = 28;
/** First free byte of the memory (atomic). */
export const ARENA_TOP = 29;
/** One of the ACTIVATION_ numbers. */
export const ACTIVATION = 30;
export const JOB_WORDS = 31;

// What one thread owns.
/** Hash table from rows to their places among the touched ones; as many slots are used as a query needs. */
export const ROW_SLOTS = 0;
/** Match masks of the touched rows. (touched, mask words) */
export const MASKS = 1;
/** Row numbers, in the order in which they were found. (touched) */
export const TOUCHED = 2;
/** Numbers of their patterns. (touched) */
export const NUMBERS = 3;
export const SLOTS = 4;
/** Slots of the pattern table, a power of two. */
export const SLOT_COUNT = 5;
export const KEYS = 6;
export const PATTERN_VALUES = 7;
/** Patterns that keys and values have room for. */
export const CAPACITY = 8;
export const SIZE = 9;
/** (2 L) pairs of doubles. */
export const STATE = 10;
/** Pairs of query and row with a match, a double at an address divisible by 8. */
export const MATCHED_PAIRS = 12;
/** 32 - log2 of the slots of rows that the present query uses. */
export const ROW_SHIFT = 14;
export const LANE_WORDS = 16;

export const QUERIES_AT_ONCE = 16;
export const RESULT_DONE = 0;
export const RESULT_STOPPED = 1;
export const RESULT_OUT_OF_MEMORY = 2;

export const ACTIVATION_RELU = 0;
export const ACTIVATION_ERF = 1;
export const ACTIVATION_LINEAR = 2;
