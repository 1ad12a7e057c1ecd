// Where a search job keeps what: 32-bit words of two structures in the shared memory. Read by TypeScript and by
// AssemblyScript alike, so that both agree: only integer constants may stand here.

// The job: the same for all lanes. Pointers are byte addresses.
/** Where the chunk ends. */
export const END_QUERY = 0;
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
/** Next query that no lane has taken (atomic). */
export const NEXT_QUERY = 26;
/** One of the ACTIVATION_ numbers. */
export const ACTIVATION = 27;
/** (lanes, LANE_WORDS) of the structure below. */
export const SCRATCH = 28;
export const JOB_WORDS = 29;

// A lane's scratch.
/** Hash table from rows to their places among the touched ones; as many slots are used as a query needs. */
export const ROW_SLOTS = 0;
/** Match masks of the touched rows. (touched, mask words) */
export const MASKS = 1;
/** Row numbers, in the order in which they were found. (touched) */
export const TOUCHED = 2;
/** Numbers of their patterns. (touched) */
export const NUMBERS = 3;
/** (2 CAPACITY) Numbers of patterns by hash, -1 where there is none. */
export const SLOTS = 4;
/** (CAPACITY, 1 + mask words) */
export const KEYS = 5;
/** (CAPACITY) doubles. */
export const PATTERN_VALUES = 6;
/** Patterns that the table has room for, a power of two. */
export const CAPACITY = 7;
export const SIZE = 8;
/** (2 L) pairs of doubles. */
export const STATE = 9;
/** Pairs of query and row with a match, a double at an address divisible by 8. */
export const MATCHED_PAIRS = 10;
/** 32 - log2 of the slots of rows that the present query uses. */
export const ROW_SHIFT = 12;
/** 1 + the query that waits for a larger table, or 0. */
export const WAITING = 13;
/** Of the query in work: the rows touched, of these the numbered ones, and the patterns that there were before it. */
export const TOUCHED_COUNT = 14;
export const NUMBERED_COUNT = 15;
export const KNOWN_PATTERNS = 16;
/** Room for twice the patterns, which the host gives to a lane that waits. */
export const NEW_SLOTS = 17;
export const NEW_KEYS = 18;
export const NEW_VALUES = 19;
/** Patterns that no lane before has: found by `countPatterns`. */
export const OWN_PATTERNS = 20;
export const LANE_WORDS = 32;

export const ACTIVATION_RELU = 0;
export const ACTIVATION_ERF = 1;
export const ACTIVATION_LINEAR = 2;
