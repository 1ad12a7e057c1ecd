// Kinds of activation. Read by TypeScript and by AssemblyScript alike: only integer constants may stand here.

export const RELU_KIND = 0;
export const GELU_KIND = 1;
export const GELU_TANH_KIND = 2;
export const ELU_KIND = 3;
export const VARIANCE_KIND = 4;
export const DEVIATION_KIND = 5;
export const LEAKY_KIND = 6;
