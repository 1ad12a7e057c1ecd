import { tf } from '../tf.ts';
import type { WasmBackend } from '../wasm/wasmBackend.ts';
import { differentiable } from './differentiable.ts';
import { expectShape } from './expectShape.ts';
import { wasmBackendInUse } from './wasmBackendInUse.ts';

/**
 * Layer normalisation (Ba, Kiros and Hinton, 2016): every row of x less its mean, over √(variance + epsilon), times
 * `gain`, plus `bias`; the variance divides by d. x [rows, d], gain and bias [d] -> [rows, d].
 */
export function layerNorm(x: tf.Tensor2D, gain: tf.Tensor1D, bias: tf.Tensor1D, epsilon: number): tf.Tensor2D {
  expectShape('layerNorm', 'x', x, [null, null]);
  expectShape('layerNorm', 'gain', gain, [x.shape[1]]);
  expectShape('layerNorm', 'bias', bias, [x.shape[1]]);
  const backend = wasmBackendInUse();
  return backend ? fused(backend, { x, gain, bias, epsilon }) : composedLayerNorm(x, gain, bias, epsilon);
}

interface LayerNorm {
  readonly x: tf.Tensor2D;
  readonly gain: tf.Tensor1D;
  readonly bias: tf.Tensor1D;
  readonly epsilon: number;
}

function fused(backend: WasmBackend, { x, gain, bias, epsilon }: LayerNorm): tf.Tensor2D {
  const [rows, columns] = x.shape;
  return differentiable<tf.Tensor2D>([x, gain, bias], (save) => {
    const to = backend.allocate([rows, columns], 'float32');
    const kept = backend.allocate([rows], 'float32');
    const addresses = backend.addressesOf({ x, gain, bias, y: to.info, inverse: kept.info });
    backend.compute(4 * x.size, 'layerNormForward', { ...addresses, rows, columns, epsilon });
    const inverse = tf.engine().makeTensorFromTensorInfo(kept.info); // (rows) 1 / √(variance + epsilon)
    save([x, gain, inverse]);
    return {
      value: tf.engine().makeTensorFromTensorInfo(to.info),
      gradient: (upstream, [input, factors, inverses]) =>
        gradients(backend, { input: input!, factors: factors!, inverses: inverses!, upstream }),
    };
  });
}

interface LayerNormGradient {
  readonly input: tf.Tensor;
  readonly factors: tf.Tensor;
  readonly inverses: tf.Tensor;
  readonly upstream: tf.Tensor;
}

/** Gradients of x, gain and bias; those of gain and bias are summed by lane, then in the order of the lanes. */
function gradients(backend: WasmBackend, { input, factors, inverses, upstream }: LayerNormGradient): tf.Tensor[] {
  const [rows, columns] = input.shape as [number, number];
  const { lanes } = backend.kernels;
  const to = backend.allocate([rows, columns], 'float32');
  const parts = tf.zeros([lanes, 2, columns]);
  const places = { x: input, gain: factors, inverse: inverses, upstream, to: to.info, parts };
  const addresses = backend.addressesOf(places);
  backend.withScratch(lanes * Math.ceil(columns / 16) * 64, (scratch) => {
    backend.compute(6 * input.size, 'layerNormBackward', { ...addresses, scratch, rows, columns });
  });
  const [gain, bias] = tf.unstack(tf.sum(parts, 0));
  return [tf.engine().makeTensorFromTensorInfo(to.info), gain!, bias!];
}

/** The reference implementation of `layerNorm`, out of tfjs operations. */
export function composedLayerNorm(x: tf.Tensor2D, gain: tf.Tensor1D, bias: tf.Tensor1D, epsilon: number): tf.Tensor2D {
  return tf.tidy(() => {
    const centred = tf.sub(x, tf.mean(x, 1, true));
    const variance = tf.mean(tf.square(centred), 1, true); // (rows, 1)
    const scaled = tf.mul(centred, tf.rsqrt(tf.add(variance, epsilon)));
    return tf.add(tf.mul(scaled, gain), bias);
  });
}
