// Losses over sampled items. Read by TypeScript and by AssemblyScript alike: only integer constants may stand here.

export const BINARY_CROSS_ENTROPY = 0;
export const BAYESIAN_PERSONALISED_RANKING = 1;
