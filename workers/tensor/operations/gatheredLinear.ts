import { tf } from '../tf.ts';
import type { WasmBackend } from '../wasm/wasmBackend.ts';
import type { Activation } from './activation.ts';
import { checkIds } from './checkIds.ts';
import { differentiable } from './differentiable.ts';
import { embeddingLookup } from './embeddingLookup.ts';
import { expectShape } from './expectShape.ts';
import { gatheredRows, summedRows } from './gatheredRows.ts';
import { linear } from './linear.ts';
import { linearGradients, linearValue } from './linearParts.ts';
import { wasmBackendInUse } from './wasmBackendInUse.ts';

/** A linear layer whose every row reads `taps` rows of x, one after the other. */
export interface GatheredLinear {
  /** [known, channels] */
  readonly x: tf.Tensor2D;
  /** (rows × taps) Rows of x; -1 for zeros. */
  readonly ids: Int32Array;
  readonly taps: number;
  /** [taps × channels, out] */
  readonly weight: tf.Tensor2D;
  /** [out] */
  readonly bias: tf.Tensor1D;
  readonly rectified: boolean;
}

/**
 * [rows, out] A convolution, as a product: the rows of x that each row of the result sees, side by side, times the weight, plus
 * the bias, then ReLU where it is `rectified`. Throws BAD_INPUT for a row that x lacks.
 */
export function gatheredLinear(layer: GatheredLinear): tf.Tensor2D {
  const { x, ids, taps, weight, bias } = layer;
  expectShape('gatheredLinear', 'x', x, [null, null]);
  expectShape('gatheredLinear', 'weight', weight, [taps * x.shape[1], null]);
  expectShape('gatheredLinear', 'bias', bias, [weight.shape[1]]);
  const backend = wasmBackendInUse();
  if (!backend) return composedGatheredLinear(layer);
  checkIds('gatheredLinear', ids, { rows: x.shape[0], blanks: true });
  return fusedGatheredLinear(backend, layer);
}

/** The reference implementation of `gatheredLinear`, of the operations for its parts. */
export function composedGatheredLinear({ x, ids, taps, weight, bias, rectified }: GatheredLinear): tf.Tensor2D {
  const kind: Activation | null = rectified ? 'relu' : null;
  return tf.tidy(() => {
    const seen = embeddingLookup(x, ids, { blanks: true }); // (rows × taps, channels)
    return linear(tf.reshape(seen, [ids.length / taps, taps * x.shape[1]]), weight, bias, kind);
  });
}

function fusedGatheredLinear(backend: WasmBackend, layer: GatheredLinear): tf.Tensor2D {
  const { x, ids, taps, weight, bias, rectified } = layer;
  const [known, channels] = x.shape;
  return differentiable<tf.Tensor2D>([x, weight, bias], (save) => {
    const numbers = tf.tensor1d(ids, 'int32');
    const seen = gatheredRows(backend, x, { numbers, shape: [ids.length / taps, taps * channels] });
    const value = linearValue(backend, { x: seen, weight, bias, rectified });
    save(rectified ? [numbers, seen, weight, value] : [numbers, seen, weight]);
    return {
      value,
      gradient: (upstream, [savedNumbers, savedSeen, savedWeight, rectifiedValue]) => {
        const [ofSeen, ...others] = linearGradients(backend, upstream, {
          x: savedSeen as tf.Tensor2D,
          weight: savedWeight as tf.Tensor2D,
          rectifiedValue: rectifiedValue ?? null,
          hasBias: true,
        });
        return [summedRows(backend, ofSeen!, { numbers: savedNumbers!, shape: [known, channels] }), ...others];
      },
    };
  });
}
