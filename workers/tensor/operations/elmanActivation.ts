import { ELMAN_ERF, ELMAN_RELU, ELMAN_TANH } from '#workers/wasm/fields/recurrenceFields.ts';

/** The activations of an Elman network, and their numbers in kernels. */
export const ELMAN_ACTIVATIONS = { tanh: ELMAN_TANH, relu: ELMAN_RELU, erf: ELMAN_ERF } as const;

export type ElmanActivation = keyof typeof ELMAN_ACTIVATIONS;
