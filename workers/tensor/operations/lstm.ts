import type { SequenceLayout } from '../sequenceLayout.ts';
import { tf } from '../tf.ts';
import { composedRecurrence } from './composedRecurrence.ts';
import { expectShape } from './expectShape.ts';
import { fusedLstm } from './fusedLstm.ts';
import { composedLinear, linear } from './linear.ts';
import { wasmBackendInUse } from './wasmBackendInUse.ts';

/**
 * Weights of a long short-term memory, PyTorch's and Keras's, transposed as in Keras. Columns in four blocks of `width`: input
 * gate, forget gate, new value, output gate.
 */
export interface LstmWeights {
  /** [in, 4 width]; null where x, of 4 width columns, is what the inputs add already, biases included. */
  readonly inputWeight: tf.Tensor2D | null;
  /** [width, 4 width] */
  readonly hiddenWeight: tf.Tensor2D;
  /** [4 width]; only with an input weight. */
  readonly bias?: tf.Tensor1D | undefined;
}

/**
 * A long short-term memory (Hochreiter, Schmidhuber 1997, with forget gates): with s = x W + h U + b, c' = σ(s_f) c + σ(s_i)
 * tanh(s_g), h' = σ(s_o) tanh(c'), both from 0. x [tokens, in], packed as `layout` says -> states h after every token
 * [tokens, width], packed; `lastRows(layout)` are the final ones. Throws BAD_INPUT for shapes that do not fit.
 */
export function lstm(x: tf.Tensor2D, layout: SequenceLayout, weights: LstmWeights): tf.Tensor2D {
  check(x, layout, weights);
  const backend = wasmBackendInUse();
  if (!backend) return composedLstm(x, layout, weights);
  const { inputWeight, hiddenWeight, bias } = weights;
  return tf.tidy(() => {
    const projected = inputWeight ? linear(x, inputWeight, bias ?? null) : x;
    return fusedLstm(backend, projected, { hiddenWeight, layout });
  });
}

/** The reference implementation of `lstm`, out of tfjs operations. */
export function composedLstm(
  x: tf.Tensor2D,
  layout: SequenceLayout,
  { inputWeight, hiddenWeight, bias }: LstmWeights,
): tf.Tensor2D {
  const width = hiddenWeight.shape[0];
  return tf.tidy(() => {
    const both = composedRecurrence({
      projected: inputWeight ? composedLinear(x, inputWeight, bias ?? null, null) : x,
      layout,
      initial: tf.zeros([layout.sequences, 2 * width]),
      step: (projected, before) => {
        const [state, cell] = tf.split(before, 2, 1) as [tf.Tensor2D, tf.Tensor2D];
        const [input, forget, value, output] = tf.split(tf.add(projected, tf.matMul(state, hiddenWeight)), 4, 1);
        const kept = tf.mul(tf.sigmoid(forget!), cell);
        const next = tf.add(kept, tf.mul(tf.sigmoid(input!), tf.tanh(value!)));
        return tf.concat([tf.mul(tf.sigmoid(output!), tf.tanh(next)), next], 1) as tf.Tensor2D;
      },
    }); // (tokens, 2 width)
    return tf.slice(both, [0, 0], [layout.tokens, width]);
  });
}

function check(x: tf.Tensor2D, layout: SequenceLayout, { inputWeight, hiddenWeight, bias }: LstmWeights): void {
  const width = hiddenWeight.shape[0];
  expectShape('lstm', 'x', x, [layout.tokens, inputWeight ? null : 4 * width]);
  if (inputWeight) expectShape('lstm', 'inputWeight', inputWeight, [x.shape[1], 4 * width]);
  expectShape('lstm', 'hiddenWeight', hiddenWeight, [width, 4 * width]);
  if (bias) expectShape('lstm', 'bias', bias, [4 * width]);
}
