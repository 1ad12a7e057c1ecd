// Recurrent layers. Read by TypeScript and by AssemblyScript alike: only integer constants may stand here.

// Activations of an Elman network.
export const ELMAN_TANH = 0;
export const ELMAN_RELU = 1;
export const ELMAN_ERF = 2;
