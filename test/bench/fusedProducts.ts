import { ARITHMETICS } from '#src/base/contracts/arithmetic.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { tf } from '#workers/tensor/tf.ts';
import { openWasmBackend } from '#workers/tensor/wasm/openWasmBackend.ts';
import { setArithmetic } from '#workers/wasm/calls/kernelModule.ts';
import type { BenchResult } from './benchResult.ts';

const ROUNDS = 12;
const CALLS = 12;
const SIZES = [
  [512, 512, 512],
  [2880, 64, 64],
] as const;

/**
 * Whole products of the `wasm` backend, (rows, depth) times (depth, columns), with plain kernels and with fused ones, in turn. The
 * best of 144 calls by the clock, since what else the machine does only lengthens them. Adds to `result`.
 */
export async function timeFusedProducts(result: BenchResult): Promise<void> {
  const best = new Map<string, number>();
  for (let round = 0; round < ROUNDS; round++) {
    for (const threads of [1, 2]) {
      for (const arithmetic of ARITHMETICS) {
        setArithmetic(arithmetic);
        const { close } = await openWasmBackend(threads);
        for (const [rows, columns, depth] of SIZES) {
          const key = `${rows}x${depth}x${columns}, ${threads} ${threads === 1 ? 'thread' : 'threads'}, ${arithmetic}`;
          best.set(key, Math.min(best.get(key) ?? Number.POSITIVE_INFINITY, bestOf([rows, columns, depth])));
        }
        await close();
      }
    }
  }
  setArithmetic('plain');
  for (const [key, seconds] of best) {
    result.ours[key] = seconds;
    const [rows = 0, depth = 0, columns = 0] = key.split(',')[0]!.split('x').map(Number);
    result.notes.push(`${key}: ${((2 * rows * columns * depth) / seconds / 1e9).toFixed(1)} GFLOP/s`);
  }
}

function bestOf([rows, columns, depth]: readonly [number, number, number]): number {
  const generator = randomGenerator(1, 'products');
  const operand = (shape: [number, number]) =>
    tf.tensor2d(
      Float32Array.from({ length: shape[0] * shape[1] }, () => generator.nextFloat()),
      shape,
    );
  const [a, b] = [operand([rows, depth]), operand([depth, columns])];
  let best = Number.POSITIVE_INFINITY;
  for (let call = 0; call < CALLS; call++) {
    const begun = performance.now();
    tf.matMul(a, b).dispose();
    best = Math.min(best, (performance.now() - begun) / 1000);
  }
  tf.dispose([a, b]);
  return best;
}
