import type { SequencePair } from './recurrentKernelTables.ts';

/**
 * A pair of vector sequences, `x` (T, m) and `y` (T', m), with inner products divided by m as RNTK R-11 has it.
 * They count as one sample when they are the same array.
 */
export function vectorSequencePair(x: readonly (readonly number[])[], y: readonly (readonly number[])[]): SequencePair {
  const inner = (a: readonly number[], b: readonly number[]) => {
    let sum = 0;
    for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
    return sum / a.length;
  };
  return {
    lengths: [x.length, y.length],
    cross: (t, s) => inner(x[t], y[s]),
    norms: [(t) => inner(x[t], x[t]), (s) => inner(y[s], y[s])],
    sameSample: x === y,
  };
}

/** A pair of item sequences as one-hot vectors, without the division by m (docs/errata.md, 6: OverRec has none). */
export function itemSequencePair(x: ArrayLike<number>, y: ArrayLike<number>): SequencePair {
  return {
    lengths: [x.length, y.length],
    cross: (t, s) => (x[t] === y[s] ? 1 : 0),
    norms: [() => 1, () => 1],
    sameSample: x === y,
  };
}
