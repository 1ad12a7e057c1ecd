import { adamBy } from '../adamBy.ts';

/** AdamW: I. Loshchilov and F. Hutter, ICLR 2019. Each step shrinks a parameter by learningRate × weightDecay. */
export const adamw = adamBy({ decoupled: true, words: 'Adam that shrinks parameters apart from the gradient' });
