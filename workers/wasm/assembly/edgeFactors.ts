// Compiled form of workers/tensor/operations/edgeFactors.ts.
import { addScaledRow, dotRows } from './vectorRows';

@inline
function word(from: usize, index: i32): i32 {
  return load<i32>(from + (<usize>index << 2));
}

/** y (rows, factors · width): the sum over the edges of each row of the other end's x, each factor times its weight. */
export function edgeSums(
  lane: i32, lanes: i32, shares: usize, offsets: usize, columns: usize, weights: usize, x: usize, y: usize, factors: i32,
  width: i32,
): void {
  const stride = <usize>(factors * width) << 2;
  const bytes = <usize>width << 2;
  for (let row = word(shares, lane); row < word(shares, lane + 1); row++) {
    const to = y + <usize>row * stride;
    memory.fill(to, 0, stride);
    for (let edge = word(offsets, row); edge < word(offsets, row + 1); edge++) {
      const from = x + <usize>word(columns, edge) * stride;
      for (let k = 0; k < factors; k++) {
        const weight = load<f32>(weights + (<usize>(edge * factors + k) << 2));
        addScaledRow(to + <usize>k * bytes, from + <usize>k * bytes, weight, width);
      }
    }
  }
}

/** y (edges, factors): the products of a at an edge's row and b at its other end, a factor each. */
export function edgeDots(
  lane: i32, lanes: i32, shares: usize, offsets: usize, columns: usize, a: usize, b: usize, y: usize, factors: i32, width: i32,
): void {
  const stride = <usize>(factors * width) << 2;
  const bytes = <usize>width << 2;
  for (let row = word(shares, lane); row < word(shares, lane + 1); row++) {
    const own = a + <usize>row * stride;
    for (let edge = word(offsets, row); edge < word(offsets, row + 1); edge++) {
      const other = b + <usize>word(columns, edge) * stride;
      for (let k = 0; k < factors; k++) {
        const at = <usize>k * bytes;
        store<f32>(y + (<usize>(edge * factors + k) << 2), dotRows(own + at, other + at, width));
      }
    }
  }
}
