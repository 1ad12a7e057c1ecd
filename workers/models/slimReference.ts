/** What decides SLIM's weights. */
export interface SlimOptions {
  /** Penalty λ₁ on the sum of the weights, at least 0. */
  l1: number;
  /** Penalty λ₂ on half the sum of their squares, at least 0. */
  l2: number;
  /** The descent ends when no weight moves by more than this. */
  tolerance: number;
  /** Or after so many sweeps over all items. */
  sweeps: number;
}

/**
 * (items) The weights by which the other items predict `item`: coordinate descent on ½ ‖a_j - A w‖² + λ₁ ‖w‖₁ + λ₂/2 ‖w‖²
 * with w ≥ 0 and w_j = 0, from zero weights. `gram` (items, items) is A'A. What `slimWeights` in WebAssembly does, plainly.
 */
export function slimWeightsReference(gram: Float64Array, item: number, options: SlimOptions): Float64Array {
  const { l1, l2, tolerance, sweeps } = options;
  const items = Math.sqrt(gram.length);
  const weights = new Float64Array(items);
  const slopes = gram.slice(item * items, (item + 1) * items);
  for (let sweep = 0; sweep < sweeps; sweep++) {
    let moved = 0;
    for (let other = 0; other < items; other++) {
      if (other === item) continue;
      const before = weights[other]!;
      const slope = slopes[other]!;
      if (before === 0 && slope <= l1) continue;
      const curvature = gram[other * items + other]!;
      const after = Math.max(0, (slope + curvature * before - l1) / (curvature + l2));
      const step = after - before;
      if (step === 0) continue;
      weights[other] = after;
      for (let at = 0; at < items; at++) slopes[at]! -= step * gram[other * items + at]!;
      moved = Math.max(moved, Math.abs(step));
    }
    if (moved <= tolerance) break;
  }
  return weights;
}
