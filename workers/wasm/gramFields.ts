// How the recurrent Gram kernel's data lie. Read by TypeScript and by AssemblyScript alike: only integer constants may stand here.

/** Series side by side in a panel: (steps, m + L, PANEL) doubles, the newest step first. */
export const PANEL = 8;

// The job: 32-bit words. Pointers are byte addresses.
/** (row panels, steps, m + L, PANEL) inputs, then variances of each layer (erf: 1 + 2 of them). */
export const ROW_PANELS = 0;
/** (row panels, PANEL) lengths as doubles, ascending; the last panel is filled up with its last series. */
export const ROW_LENGTHS = 1;
/** The same of the columns. */
export const COLUMN_PANELS = 2;
export const COLUMN_LENGTHS = 3;
/** Panels of columns. */
export const COLUMN_PANEL_COUNT = 4;
/** Steps that all panels have room for: the greatest length. */
export const STEPS = 5;
/** m, the numbers of a step. */
export const DIMENSION = 6;
export const LAYERS = 7;
/** One of ACTIVATION_ of searchFields.ts. */
export const ACTIVATION = 8;
/** 1 for K, 0 for Theta. */
export const IS_NNGP = 9;
/** 1: columns are the rows, and only panels from the row's own on are wanted. */
export const SYMMETRIC = 10;
/**
 * (layers, 3) doubles: squareW, squareU (the first divided by m), squareB; then squareV. For ReLU all that multiply V[K] are
 * divided by 2 pi: squareW, squareU above the first layer, squareV.
 */
export const COEFFICIENTS = 11;
/** (lanes) of SCRATCH_BYTES. */
export const SCRATCH = 12;
/** Bytes a lane has of SCRATCH: (steps, m + L) doubles of the row in work, CONSTANTS_BYTES, (layers, 2, PANEL) of state. */
export const SCRATCH_BYTES = 13;
/** (rows of the call, column panels, PANEL) doubles. */
export const OUT = 14;
export const JOB_WORDS = 15;

export const CONSTANTS_BYTES = 240;
