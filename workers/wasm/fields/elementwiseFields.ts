// Which operation an elementwise or reducing kernel does. Read by TypeScript and by AssemblyScript alike: only integer
// constants may stand here.

export const NEGATE = 0;
export const EXPONENTIAL = 1;
export const LOGARITHM = 2;
export const SQUARE_ROOT = 3;
export const RECIPROCAL_SQUARE_ROOT = 4;
export const SQUARE = 5;
export const TANH = 6;
export const SIGMOID = 7;
export const RELU = 8;
/** 1 above 0, else the kernel's parameter; NaN stays. */
export const STEP = 9;
export const ABSOLUTE = 10;
export const RECIPROCAL = 11;
export const SOFTPLUS = 12;

export const ADD = 0;
export const SUBTRACT = 1;
export const MULTIPLY = 2;
export const DIVIDE = 3;
export const MAXIMUM = 4;
export const MINIMUM = 5;
export const SQUARED_DIFFERENCE = 6;

export const GREATER = 0;
export const GREATER_EQUAL = 1;
export const LESS = 2;
export const LESS_EQUAL = 3;
export const EQUAL = 4;
export const NOT_EQUAL = 5;

export const SUM = 0;
export const GREATEST = 1;
export const LEAST = 2;
export const PRODUCT = 3;

export const SOFTMAX = 0;
export const LOG_SOFTMAX = 1;

export const BOOL_TO_FLOAT = 0;
export const INT_TO_FLOAT = 1;
export const FLOAT_TO_INT = 2;
export const BOOL_TO_INT = 3;
