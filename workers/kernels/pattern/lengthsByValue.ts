import type { PatternKernelTables } from './patternKernelTables.ts';

/**
 * For each query length T, the row lengths T' by the value that a pair of such lengths has without a match, greatest first
 * (ties by T'): (M + 1, M), row T of the result starting at T M. Row 0 is unused.
 */
export function lengthsByValue({ options, unmatched }: PatternKernelTables): Uint16Array {
  const { maximumLength } = options;
  const order = new Uint16Array((maximumLength + 1) * maximumLength);
  for (let length = 1; length <= maximumLength; length++) {
    const values = unmatched.subarray(length * (maximumLength + 1), (length + 1) * (maximumLength + 1));
    const lengths = order.subarray(length * maximumLength, (length + 1) * maximumLength);
    for (let at = 0; at < maximumLength; at++) lengths[at] = at + 1;
    lengths.sort((a, b) => values[b] - values[a] || a - b);
  }
  return order;
}
