import { KEYS, MASK_WORDS, SIZE } from '../searchFields';
import { field } from './memory';
import { NO_MEMORY, numberOf } from './patternTable';

export { arcCosine, arcCosine2Into } from './exports';
export { rankItems } from './ranking';
export { search } from './search';

/** Adds the patterns of the table of `from` to that of `to`, and returns how many different ones there are then. */
export function mergePatterns(job: usize, to: usize, from: usize): u32 {
  const stride: usize = (field(job, MASK_WORDS) + 1) << 2;
  const keys = <usize>field(from, KEYS);
  const size = field(from, SIZE);
  for (let pattern: u32 = 0; pattern < size; pattern++) {
    const key = keys + (<usize>pattern) * stride;
    if (numberOf(job, to, load<u32>(key), key + 4) === NO_MEMORY) return NO_MEMORY;
  }
  return field(to, SIZE);
}
