import { adamBy } from './adam.ts';

/** AdamW: I. Loshchilov and F. Hutter, ICLR 2019. Each step shrinks a parameter by learningRate × weightDecay. */
export const adamW = adamBy({ decoupled: true });
