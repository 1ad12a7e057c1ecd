// Where a ranking job keeps what. Read by TypeScript and by AssemblyScript alike, so that both agree: only integer constants
// may stand here.

// The job: 32-bit words, the same for all lanes. Pointers are byte addresses.
/** Where the chunk ends. */
export const END_QUERY = 0;
/** (queries) Row of the user's embedding. */
export const QUERY_USERS = 1;
/** (queries) Item whose rank is asked for, or NO_TARGET. */
export const TARGETS = 2;
/** (queries + 1) Where the query's excluded items begin. */
export const EXCLUDED_OFFSETS = 3;
/** Different items, ascending for each query. */
export const EXCLUDED = 4;
/** (users, dimension) floats. */
export const USERS = 5;
/** (panels, dimension, 8) floats; NaN where there is no item. */
export const ITEMS = 6;
export const PANEL_COUNT = 7;
export const DIMENSION = 8;
export const LIST_LENGTH = 9;
export const OUT_LISTS = 10;
export const OUT_RANKS = 11;
export const OUT_BEST = 12;
export const OUT_WORST = 13;
/** Next query that no lane has taken (atomic). */
export const NEXT_QUERY = 14;
/** (lanes) of SCRATCH_BYTES. */
export const SCRATCH = 15;
export const SCRATCH_BYTES = 16;
export const JOB_WORDS = 17;

// Bytes of a lane's scratch.
/** 8 floats. */
export const SCORES = 0;
/** (32) of the structure below. */
export const STATES = 64;
/** (32, LIST_LENGTH) keys of 8 bytes. */
export const HEAPS = 1600;

// Bytes of one query's state.
export const OWN = 0;
export const THRESHOLD = 4;
export const SIZE = 8;
export const EQUAL_BEFORE = 12;
export const EQUAL_AFTER = 16;
export const QUERY = 20;
export const USER_ADDRESS = 24;
export const HEAP = 28;
/** Four counts of greater scores. */
export const GREATER = 32;
export const STATE_BYTES = 48;

export const QUERIES_AT_ONCE = 32;
export const ITEMS_IN_PANEL = 8;
export const NO_TARGET = 0xffffffff;
