// SLIM by coordinate descent on the Gram matrix. Reference implementation: workers/models/slimReference.ts, the same bits.

@inline
function double(address: usize, index: i32): f64 {
  return load<f64>(address + (<usize>index << 3));
}

/** to -= factor × from, both of `count` doubles. */
function subtractScaled(to: usize, from: usize, factor: f64, count: i32): void {
  const whole = <usize>(count & ~3) << 3;
  const all = <usize>count << 3;
  const factor2 = f64x2.splat(factor);
  let at: usize = 0;
  for (; at < whole; at += 32) {
    v128.store(to + at, f64x2.sub(v128.load(to + at), f64x2.mul(factor2, v128.load(from + at))));
    v128.store(to + at, f64x2.sub(v128.load(to + at, 16), f64x2.mul(factor2, v128.load(from + at, 16))), 16);
  }
  for (; at < all; at += 8) store<f64>(to + at, load<f64>(to + at) - factor * load<f64>(from + at));
}

/**
 * Weights of the items `first` to before `last`, one row of `weights` (last - first, items) each: coordinate descent on
 * ½ ‖a_j - A w‖² + λ₁ ‖w‖₁ + λ₂/2 ‖w‖² with w ≥ 0, w_j = 0, until no weight moves by more than `tolerance` or `sweeps` are
 * done. `gram` (items, items) is A'A; `scratch` has `items` doubles for each lane. A lane has every lanes-th item.
 */
export function slimWeights(
  lane: i32, lanes: i32, gram: usize, items: i32, first: i32, last: i32, l1: f64, l2: f64, tolerance: f64, sweeps: i32,
  scratch: usize, weights: usize,
): void {
  const bytes = <usize>items << 3;
  const slopes = scratch + <usize>lane * bytes;
  for (let item = first + lane; item < last; item += lanes) {
    const row = weights + <usize>(item - first) * bytes;
    memory.fill(row, 0, bytes);
    memory.copy(slopes, gram + <usize>item * bytes, bytes);
    for (let sweep = 0; sweep < sweeps; sweep++) {
      let moved: f64 = 0;
      for (let other = 0; other < items; other++) {
        if (other === item) continue;
        const before = double(row, other);
        const slope = double(slopes, other);
        if (before === 0 && slope <= l1) continue;
        const curvature = double(gram + <usize>other * bytes, other);
        const after = max<f64>(0, (slope + curvature * before - l1) / (curvature + l2));
        const step = after - before;
        if (step === 0) continue;
        store<f64>(row + (<usize>other << 3), after);
        subtractScaled(slopes, gram + <usize>other * bytes, step, items);
        moved = max<f64>(moved, abs(step));
      }
      if (moved <= tolerance) break;
    }
  }
}
