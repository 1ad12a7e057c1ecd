import type { RecurrentKernelParameters } from '../recurrent/recurrentKernelParameters.ts';

export interface PatternKernelOptions {
  network: RecurrentKernelParameters;
  kernel: 'rntk' | 'nngp';
  /** `exact`, or `author`: the published code's un-normalised single precision recursion (docs/errata.md, 7). */
  variant: 'exact' | 'author';
  /** Longest sequence M; longer ones are cut to their last M items before. */
  maximumLength: number;
}

/**
 * All that a kernel value of two item sequences is looked up or computed from. For one-hot items a value depends only on
 * the lengths T and T' and on which positions, aligned from the end, hold the same item: the pair's pattern.
 * Tables are (L, M + 1, M + 1), indexed by layer and by the steps t, t' that both sequences have taken (0: none).
 */
export interface PatternKernelTables {
  readonly options: PatternKernelOptions;
  /** 32-bit words of a match mask: bit d of the mask is set where the items d places before both ends are equal. */
  readonly maskWords: number;
  /** The activation's scale of the two sequences' own variances, for ReLU sqrt(K1 K2) (exact only). */
  readonly scales: Float64Array;
  /** First half of the state of a pair without any match so far: V (exact), clamped Sigma (author). */
  readonly values: Float64Array;
  /** Second half: Psi V' (exact), Theta (author). */
  readonly gradients: Float64Array;
  /** Kernel values of pairs without a match: (M + 1, M + 1), by T and T'. */
  readonly unmatched: Float64Array;
}

export interface PatternKernel {
  readonly tables: PatternKernelTables;
  /** Kernel value of the pattern (T, T', mask); `mask` holds `maskWords` words from `at` on. */
  value(length: number, otherLength: number, mask: Uint32Array, at: number): number;
}

/** Tables of zeros. */
export function emptyPatternKernelTables(options: PatternKernelOptions): PatternKernelTables {
  const width = options.maximumLength + 1;
  const size = options.network.layers * width * width;
  return {
    options,
    maskWords: Math.ceil(options.maximumLength / 32),
    scales: new Float64Array(size),
    values: new Float64Array(size),
    gradients: new Float64Array(size),
    unmatched: new Float64Array(width * width),
  };
}

/** The highest set bit of a mask of `words` words from `at` on, or -1. */
export function oldestMatch(mask: Uint32Array, at: number, words: number): number {
  for (let w = words - 1; w >= 0; w--) {
    const bits = mask[at + w];
    if (bits !== 0) return w * 32 + 31 - Math.clz32(bits);
  }
  return -1;
}
