// Compiled form of workers/math/random/counterRandom.ts, which says what is computed and why.
import { four } from './constants';

@inline
export function counterBits(a: u32, b: u32, index: u32): u32 {
  let hash: u32 = index * 0x9e3779b9 + a;
  hash = (hash ^ (hash >>> 16)) * 0x21f0aaad + b;
  hash = (hash ^ (hash >>> 15)) * 0x735a2d97;
  return hash ^ (hash >>> 15);
}

/** Bits of four indices. */
@inline
export function counterBits4(a: v128, b: v128, indices: v128): v128 {
  let hash = i32x4.add(i32x4.mul(indices, four(memory.data<u32>([0x9e3779b9]))), a);
  hash = i32x4.add(i32x4.mul(v128.xor(hash, i32x4.shr_u(hash, 16)), four(memory.data<u32>([0x21f0aaad]))), b);
  hash = i32x4.mul(v128.xor(hash, i32x4.shr_u(hash, 15)), four(memory.data<u32>([0x735a2d97])));
  return v128.xor(hash, i32x4.shr_u(hash, 15));
}

/** Of the four elements from `index`: `scale` where kept, 0 where dropped. */
@inline
export function keptScale4(a: v128, b: v128, index: u32, threshold: v128, scale: v128): v128 {
  const indices = i32x4.add(i32x4.splat(index), v128.load(memory.data<u32>([0, 1, 2, 3])));
  return v128.and(scale, i32x4.ge_u(counterBits4(a, b, indices), threshold));
}
