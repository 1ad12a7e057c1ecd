import { adamBy } from '../adamBy.ts';

/** Adam: D. P. Kingma and J. Ba, ICLR 2015. */
export const adam = adamBy({ decoupled: false, words: 'Adam, with the decay added to the gradient' });
