// How the recurrent Gram kernel's data lie. Read by TypeScript and by AssemblyScript alike: only integer constants may stand here.

/** Series side by side in a panel: (steps, width, PANEL) doubles, the newest step first. */
export const PANEL = 8;

// The job: 32-bit words. Pointers are byte addresses.
/**
 * (row panels, steps, width, PANEL). For ReLU, layer by layer: 1; the inputs (above the first layer: the standard deviation of the
 * pre-activation below); the layer's own deviation one step earlier. Each is multiplied by the root of its coefficient and
 * divided by the deviation at this layer and step, so that a product of two series' numbers is a term of their correlation.
 * Otherwise the inputs, then the variances of each layer (erf: 1 + 2 of them).
 */
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
/** m, the numbers of an input. */
export const DIMENSION = 6;
export const LAYERS = 7;
/** One of ACTIVATION_ of searchFields.ts. */
export const ACTIVATION = 8;
/** 1 for K, 0 for Theta. */
export const IS_NNGP = 9;
/** 1: columns are the rows, and only panels from the row's own on are wanted. */
export const SYMMETRIC = 10;
/** (layers, 3) doubles: squareW, squareU (the first divided by m), squareB. ReLU has them in its panels. */
export const COEFFICIENTS = 11;
/** (lanes) of SCRATCH_BYTES. */
export const SCRATCH = 12;
/** Bytes a lane has of SCRATCH: (steps, width) doubles of the row in work, CONSTANTS_BYTES, (layers, 2, PANEL) of state. */
export const SCRATCH_BYTES = 13;
/** (rows of the call, column panels, PANEL) doubles. */
export const OUT = 14;
/** Doubles of a step and series. */
export const WIDTH = 15;
/** (row panels, PANEL) and (column panels, PANEL) doubles: what a row's or a column's values are multiplied by at last. */
export const ROW_SCALES = 16;
export const COLUMN_SCALES = 17;
/** The next row that nobody computes yet: set before a call, shared by the lanes. */
export const NEXT_ROW = 18;
export const JOB_WORDS = 19;

export const CONSTANTS_BYTES = 336;
