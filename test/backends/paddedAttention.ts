import type { SequenceLayout } from '#workers/tensor/sequenceLayout.ts';

export interface PaddedAttention {
  readonly layout: SequenceLayout;
  readonly columns: number;
  readonly heads: number;
  readonly causal: boolean;
}

/**
 * Attention as padded implementations compute it, in float64: every sequence is filled up at the left to `paddedLength`
 * rows; pads have the key and value `padKey` and `padValue` (empty: they are masked). Packed in, packed out.
 */
export function paddedAttention(
  { layout, columns, heads, causal }: PaddedAttention,
  [query, key, value, padKey, padValue]: Float64Array[],
): Float64Array {
  const width = columns / heads;
  const result = new Float64Array(query!.length);
  for (let s = 0; s < layout.sequences; s++) {
    const first = layout.offsets[s]!;
    const pads = layout.paddedLength - (layout.offsets[s + 1]! - first);
    const cell = (packed: Float64Array, pad: Float64Array | undefined, at: number, column: number) =>
      at < pads ? (pad?.[column] ?? 0) : packed[(first + at - pads) * columns + column]!;
    for (let head = 0; head < heads; head++) {
      for (let t = pads; t < layout.paddedLength; t++) {
        const scores = Array.from({ length: layout.paddedLength }, (_, j) => {
          if ((causal && j > t) || (j < pads && !padKey)) return Number.NEGATIVE_INFINITY;
          let product = 0;
          for (let c = head * width; c < (head + 1) * width; c++) {
            product += query![(first + t - pads) * columns + c]! * cell(key!, padKey, j, c);
          }
          return product / Math.sqrt(width);
        });
        const top = Math.max(...scores);
        const weights = scores.map((score) => Math.exp(score - top));
        const sum = weights.reduce((all, weight) => all + weight, 0);
        for (let c = head * width; c < (head + 1) * width; c++) {
          let output = 0;
          for (const [j, weight] of weights.entries()) output += (weight / sum) * cell(value!, padValue, j, c);
          result[(first + t - pads) * columns + c] = output;
        }
      }
    }
  }
  return result;
}
