// Blocks of the matrix product. Read by TypeScript and by AssemblyScript alike: only integer constants may stand here.

/** Of the summed dimension, that one packed block holds. */
export const BLOCK_DEPTH = 256;
/** Columns that one packed block holds. */
export const BLOCK_COLUMNS = 256;
/** Scratch of one lane. */
export const PACKED_BYTES = 262_144;

export const NO_ACTIVATION = 0;
export const RELU_ACTIVATION = 1;
