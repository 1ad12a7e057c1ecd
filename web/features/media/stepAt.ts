/** The last of the rising steps that is not after `step`, or else the first one. */
export function stepAt(steps: readonly number[], step: number): number {
  let low = 0;
  let high = steps.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (steps[middle]! <= step) low = middle + 1;
    else high = middle;
  }
  return steps[Math.max(0, low - 1)] ?? 0;
}
