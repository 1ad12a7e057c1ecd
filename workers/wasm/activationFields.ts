// Kinds of activation. Read by TypeScript and by AssemblyScript alike: only integer constants may stand here.

export const RELU_KIND = 0;
export const GELU_KIND = 1;
export const GELU_TANH_KIND = 2;
