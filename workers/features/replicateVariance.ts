import { badInput } from '#src/base/contracts/errors.ts';

/**
 * Sample variance over replicates of each entry of a representation: Figures 1a and 1c of Featurizing Pretrained
 * Representations. Throws BAD_INPUT for fewer than two replicates and those of different lengths.
 * @param replicates Entries of each, alike in length.
 */
export function replicateVariances(replicates: readonly ArrayLike<number>[]): Float64Array {
  const [first] = replicates;
  if (first === undefined || replicates.length < 2) {
    throw badInput(`${replicates.length} replicates; expected at least 2, so that they can vary`, 'replicates');
  }
  const other = replicates.find((replicate) => replicate.length !== first.length);
  if (other !== undefined) {
    throw badInput(
      `replicates of ${first.length} and of ${other.length} entries; expected the same vocabulary and length`,
      'replicates',
    );
  }
  const n = replicates.length;
  return Float64Array.from({ length: first.length }, (_, at) => {
    let mean = 0;
    for (const replicate of replicates) mean += replicate[at]! / n;
    let squares = 0;
    for (const replicate of replicates) squares += (replicate[at]! - mean) ** 2;
    return squares / (n - 1);
  });
}

/** ⟨x_i, x_j⟩ of the given pairs of rows of `values` (rows, width). */
export function pairProducts(
  values: ArrayLike<number>,
  width: number,
  pairs: readonly (readonly [number, number])[],
): Float64Array {
  return Float64Array.from(pairs, ([i, j]) => {
    let sum = 0;
    for (let d = 0; d < width; d++) sum += values[i * width + d]! * values[j * width + d]!;
    return sum;
  });
}

/** The share of `values` in each of `bins` bins of the same width from 0 to `most`, as a density; larger ones are in the last. */
export function densityOf(
  values: ArrayLike<number>,
  { bins, most }: { bins: number; most: number },
): { centres: number[]; densities: number[] } {
  const width = most / bins;
  const counts = new Array<number>(bins).fill(0);
  for (let at = 0; at < values.length; at++) counts[Math.min(bins - 1, Math.floor(values[at]! / width))]!++;
  return {
    centres: counts.map((_, bin) => (bin + 0.5) * width),
    densities: counts.map((count) => count / (values.length * width)),
  };
}
