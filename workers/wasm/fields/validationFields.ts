// How a cross-validation job of two-class machines lies in memory. Read by TypeScript and by AssemblyScript alike: only integer constants may stand here.

// The job: 32-bit words. Pointers are byte addresses.
/** (n, n) doubles: the kernel matrix, examples sorted by class. */
export const GRAM = 0;
/** n, the examples. */
export const EXAMPLES = 1;
export const CLASSES = 2;
/** (classes + 1) words: the examples of class c are CLASS_STARTS[c] to CLASS_STARTS[c + 1] - 1. */
export const CLASS_STARTS = 3;
/** (assignments, n) bytes: the fold in which an example is held out. */
export const FOLD_OF = 4;
export const ASSIGNMENTS = 5;
/** Folds of each assignment. */
export const FOLDS = 6;
/** (costs) doubles, ascending. */
export const COSTS = 7;
export const COST_COUNT = 8;
/** Two doubles: the tolerance, and the most steps of one problem. */
export const LIMITS = 9;
/** (assignments, pairs of classes, costs, n) bytes: VOTE_ of the machine that was trained without the example. */
export const VOTES = 10;
/** (SCRATCH_LANES) of SCRATCH_BYTES: (n) words of members, rounded up to 16 bytes, then the two-class problem in work. */
export const SCRATCH = 11;
export const SCRATCH_BYTES = 12;
/** The next problem that nobody has taken. */
export const NEXT_PROBLEM = 13;
/** Solutions given up at the most steps. */
export const GIVEN_UP = 14;
/** Lanes that have scratch; the others do nothing. */
export const SCRATCH_LANES = 15;
export const JOB_WORDS = 16;

/** For the larger class of the pair, for the smaller one, and where a class has no example that trains. */
export const VOTE_LARGER = 0;
export const VOTE_SMALLER = 1;
export const VOTE_NONE = 2;

/** Vectors of a two-class problem in a lane's scratch, of one double an example each; the matrix follows. */
export const DIAGONAL = 0;
export const SIGNS = 1;
export const COEFFICIENTS = 2;
export const GRADIENT = 3;
export const LOWER = 4;
export const UPPER = 5;
export const VECTORS = 6;
