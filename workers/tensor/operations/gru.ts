import type { SequenceLayout } from '../sequenceLayout.ts';
import { tf } from '../tf.ts';
import { composedRecurrence } from './composedRecurrence.ts';
import { expectShape } from './expectShape.ts';
import { fusedGru } from './fusedGru.ts';
import { composedLinear, linear } from './linear.ts';
import { wasmBackendInUse } from './wasmBackendInUse.ts';

/**
 * Weights of a gated recurrent unit: PyTorch's, transposed. Columns in three blocks of `width`: the reset gate, the update gate,
 * the new state.
 */
export interface GruWeights {
  /** [in, 3 width] */
  readonly inputWeight: tf.Tensor2D;
  /** [width, 3 width] */
  readonly hiddenWeight: tf.Tensor2D;
  /** [3 width] */
  readonly inputBias?: tf.Tensor1D | undefined;
  /** [3 width] */
  readonly hiddenBias?: tf.Tensor1D | undefined;
  /** [sequences, width] states before the first token; zeros by default. */
  readonly initial?: tf.Tensor2D | undefined;
}

/**
 * A gated recurrent unit as PyTorch has it (Cho et al. 2014, the reset gate after the product): with i = x W + b and
 * s = h U + c, r = σ(i_r + s_r), z = σ(i_z + s_z), n = tanh(i_n + r s_n), h' = (1 - z) n + z h.
 * x [tokens, in], packed as `layout` says -> states after every token [tokens, width], packed; `lastRows(layout)` are the
 * final ones. Throws BAD_INPUT for shapes that do not fit.
 */
export function gru(x: tf.Tensor2D, layout: SequenceLayout, weights: GruWeights): tf.Tensor2D {
  check(x, layout, weights);
  const backend = wasmBackendInUse();
  if (!backend) return composedGru(x, layout, weights);
  return tf.tidy(() => {
    const projected = linear(x, weights.inputWeight, weights.inputBias ?? null);
    return fusedGru(backend, projected, { ...weights, layout });
  });
}

/** The reference implementation of `gru`, out of tfjs operations. */
export function composedGru(x: tf.Tensor2D, layout: SequenceLayout, weights: GruWeights): tf.Tensor2D {
  const { inputWeight, hiddenWeight, inputBias, hiddenBias } = weights;
  const width = hiddenWeight.shape[0];
  return tf.tidy(() =>
    composedRecurrence({
      projected: composedLinear(x, inputWeight, inputBias ?? null, null),
      layout,
      initial: weights.initial ?? tf.zeros([layout.sequences, width]),
      step: (projected, before) => {
        const recurrent = composedLinear(before, hiddenWeight, hiddenBias ?? null, null);
        const [inputReset, inputUpdate, inputNew] = tf.split(projected, 3, 1);
        const [hiddenReset, hiddenUpdate, hiddenNew] = tf.split(recurrent, 3, 1);
        const reset = tf.sigmoid(tf.add(inputReset!, hiddenReset!));
        const update = tf.sigmoid(tf.add(inputUpdate!, hiddenUpdate!));
        const next = tf.tanh(tf.add(inputNew!, tf.mul(reset, hiddenNew!)));
        return tf.add(next, tf.mul(update, tf.sub(before, next))) as tf.Tensor2D;
      },
    }),
  );
}

function check(x: tf.Tensor2D, layout: SequenceLayout, weights: GruWeights): void {
  const width = weights.hiddenWeight.shape[0];
  expectShape('gru', 'x', x, [layout.tokens, null]);
  expectShape('gru', 'inputWeight', weights.inputWeight, [x.shape[1], 3 * width]);
  expectShape('gru', 'hiddenWeight', weights.hiddenWeight, [width, 3 * width]);
  if (weights.inputBias) expectShape('gru', 'inputBias', weights.inputBias, [3 * width]);
  if (weights.hiddenBias) expectShape('gru', 'hiddenBias', weights.hiddenBias, [3 * width]);
  if (weights.initial) expectShape('gru', 'initial', weights.initial, [layout.sequences, width]);
}
