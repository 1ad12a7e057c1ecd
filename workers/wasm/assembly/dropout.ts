// Compiled form of workers/tensor/operations/dropout.ts and residualDropout.ts.
import { keptScale4 } from './counterRandom';
import { partStart } from './lanes';

/** y = x · mask, of `count` floats; the mask of element i from its bits under the key (a, b). */
export function dropout(
  lane: i32, lanes: i32, x: usize, y: usize, count: i32, a: u32, b: u32, threshold: u32, keptScale: f32,
): void {
  const start = partStart(count, lane, lanes, 16);
  const end = partStart(count, lane + 1, lanes, 16);
  const keyA = i32x4.splat(a);
  const keyB = i32x4.splat(b);
  const limit = i32x4.splat(threshold);
  const factor = f32x4.splat(keptScale);
  for (let i = start; i < end; i += 4) {
    const at = <usize>i << 2;
    v128.store(y + at, f32x4.mul(v128.load(x + at), keptScale4(keyA, keyB, i, limit, factor)));
  }
}

/** to = x + y · mask. */
export function residualDropout(
  lane: i32, lanes: i32, x: usize, y: usize, to: usize, count: i32, a: u32, b: u32, threshold: u32, keptScale: f32,
): void {
  const start = partStart(count, lane, lanes, 16);
  const end = partStart(count, lane + 1, lanes, 16);
  const keyA = i32x4.splat(a);
  const keyB = i32x4.splat(b);
  const limit = i32x4.splat(threshold);
  const factor = f32x4.splat(keptScale);
  for (let i = start; i < end; i += 4) {
    const at = <usize>i << 2;
    const kept = f32x4.mul(v128.load(y + at), keptScale4(keyA, keyB, i, limit, factor));
    v128.store(to + at, f32x4.add(v128.load(x + at), kept));
  }
}
