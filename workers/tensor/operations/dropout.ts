import { badInput } from '#src/base/contracts/errors.ts';
import { counterBits, counterKey, type DrawCounter, dropThreshold } from '#workers/math/random/counterRandom.ts';
import { tf } from '../tf.ts';
import type { WasmBackend } from '../wasm/wasmBackend.ts';
import { differentiable } from './differentiable.ts';
import { wasmBackendInUse } from './wasmBackendInUse.ts';

/** Which elements are dropped: `rate` of them (0 to below 1), chosen by the draw. */
export interface Dropout extends DrawCounter {
  readonly rate: number;
}

/**
 * Inverted dropout: each element of x is 0 with probability `rate`, else divided by 1 - rate. Element i (row by row) is
 * kept where `counterBits(counterKey(draw), i) >= dropThreshold(rate)`: the same on every backend. The gradient draws the
 * same bits again. x of any shape; null or a rate of 0 returns x. Throws BAD_INPUT for a rate outside [0, 1).
 */
export function dropout<Shaped extends tf.Tensor>(x: Shaped, drop: Dropout | null): Shaped {
  if (!drops(drop)) return x;
  const backend = wasmBackendInUse();
  if (!backend) return composedDropout(x, drop);
  return differentiable<Shaped>([x], () => ({
    value: droppedOnWasm(backend, x, drop),
    gradient: (upstream) => [droppedOnWasm(backend, upstream, drop)],
  }));
}

/** x times the mask of `drop`, not differentiable. */
export function droppedOnWasm(backend: WasmBackend, x: tf.Tensor, drop: Dropout): tf.Tensor {
  const to = backend.allocate(x.shape, 'float32');
  const operands = { x: backend.addressOf(x), y: to.address, count: x.size };
  backend.compute(2 * x.size, 'dropout', { ...operands, ...kernelParameters(drop) });
  return tf.engine().makeTensorFromTensorInfo(to.info);
}

/** What kernels that drop take. */
export interface DropoutParameters {
  /** The words of the draw's key. */
  readonly a: number;
  readonly b: number;
  readonly threshold: number;
  /** 1 / (1 - rate) */
  readonly keptScale: number;
}

/** Null keeps all. */
export function kernelParameters(drop: Dropout | null): DropoutParameters {
  if (!drops(drop)) return { a: 0, b: 0, threshold: 0, keptScale: 1 };
  const { a, b } = counterKey(drop);
  return { a, b, threshold: dropThreshold(drop.rate), keptScale: 1 / (1 - drop.rate) };
}

/** The reference implementation of `dropout`, out of tfjs operations: the mask is made here and sent to the backend. */
export function composedDropout<Shaped extends tf.Tensor>(x: Shaped, drop: Dropout | null): Shaped {
  return drops(drop) ? tf.mul(x, tf.tensor(dropoutFactors(x.size, drop), x.shape)) : x;
}

/** What each of `count` elements is multiplied by: 0 or 1 / (1 - rate). */
export function dropoutFactors(count: number, drop: Dropout): Float32Array {
  const key = counterKey(drop);
  const threshold = dropThreshold(drop.rate);
  const scale = 1 / (1 - drop.rate);
  const factors = new Float32Array(count);
  for (let i = 0; i < count; i++) factors[i] = counterBits(key, i) >= threshold ? scale : 0;
  return factors;
}

/** Whether anything is dropped. Throws BAD_INPUT for a rate outside [0, 1). */
export function drops(drop: Dropout | null): drop is Dropout {
  if (drop === null) return false;
  if (!(drop.rate >= 0 && drop.rate < 1)) {
    throw badInput(`dropout: rate ${drop.rate}; expected a number from 0 to below 1`, 'dropout');
  }
  return drop.rate > 0;
}
