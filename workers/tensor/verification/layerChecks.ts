import { type BackendCheck, normalTensor, valueAndGradients } from './backendCheck.ts';
import { activation } from '../operations/activation.ts';
import { causalAttention } from '../operations/causalAttention.ts';
import { dropout } from '../operations/dropout.ts';
import { elman } from '../operations/elman.ts';
import { gru } from '../operations/gru.ts';
import { layerNorm } from '../operations/layerNorm.ts';
import { linear } from '../operations/linear.ts';
import { wassersteinAttention } from '../operations/wassersteinAttention.ts';
import { sequenceLayout } from '../sequenceLayout.ts';
import { tf } from '../tf.ts';

/** Lengths as real histories have them: mostly short, one long, one of a single item. */
const LAYOUT = sequenceLayout([3, 1, 4, 2, 2, 5, 1], 7);
const WIDTH = 8;

const packed = (seed: number): tf.Tensor2D => normalTensor([LAYOUT.tokens, WIDTH], seed);
const vector = (length: number, seed: number): tf.Tensor1D => normalTensor([length], seed, 0.3);
const matrix = (rows: number, columns: number, seed: number): tf.Tensor2D => normalTensor([rows, columns], seed, 0.4);

function attention(name: string, { causal, pads }: { causal: boolean; pads: boolean }): BackendCheck {
  return {
    name,
    tolerance: 2e-5,
    compute: () =>
      valueAndGradients(
        (query: tf.Tensor2D, key: tf.Tensor2D, value: tf.Tensor2D, padKey: tf.Tensor1D, padValue: tf.Tensor1D) => {
          const attended = causalAttention({
            query,
            key,
            value,
            layout: LAYOUT,
            heads: 2,
            causal,
            dropout: { rate: 0.2, seed: 1, step: 2, site: 3 },
            ...(pads ? { pads: { key: padKey, value: padValue } } : {}),
          });
          // without pads their gradients are zero, and tfjs wants every input used
          return pads ? attended : tf.add(attended, tf.mul(tf.add(tf.sum(padKey), tf.sum(padValue)), 0));
        },
        [packed(11), packed(12), packed(13), vector(WIDTH, 14), vector(WIDTH, 15)],
      ),
  };
}

/** The layers of Warren's networks, as they are called there, with the gradients of every input and weight. */
export const LAYER_CHECKS: readonly BackendCheck[] = [
  {
    name: 'linear with gelu',
    tolerance: 1e-5,
    compute: () =>
      valueAndGradients(
        (x: tf.Tensor2D, weight: tf.Tensor2D, bias: tf.Tensor1D) => linear(x, weight, bias, 'gelu'),
        [packed(21), matrix(WIDTH, 19, 22), vector(19, 23)],
      ),
  },
  ...(['relu', 'gelu', 'gelu-tanh', 'elu', 'variance', 'deviation'] as const).map((kind) => ({
    name: `activation ${kind}`,
    tolerance: 1e-5,
    compute: () => valueAndGradients((x: tf.Tensor2D) => activation(x, kind), [packed(24)]),
  })),
  {
    name: 'layer norm',
    tolerance: 1e-5,
    compute: () =>
      valueAndGradients(
        (x: tf.Tensor2D, gain: tf.Tensor1D, bias: tf.Tensor1D) => layerNorm(x, gain, bias, 1e-12),
        [packed(25), vector(WIDTH, 26), vector(WIDTH, 27)],
      ),
  },
  {
    name: 'softmax',
    tolerance: 5e-6,
    compute: () => valueAndGradients((x: tf.Tensor2D) => tf.softmax(x), [packed(28)]),
  },
  {
    name: 'log-softmax',
    tolerance: 5e-6,
    compute: () => valueAndGradients((x: tf.Tensor2D) => tf.logSoftmax(x), [packed(29)]),
  },
  {
    name: 'dropout, the same bits everywhere',
    tolerance: 1e-6,
    compute: () =>
      valueAndGradients((x: tf.Tensor2D) => dropout(x, { rate: 0.3, seed: 5, step: 6, site: 7 }), [packed(30)]),
  },
  attention('causal attention with dropout', { causal: true, pads: false }),
  attention('causal attention with pads that are not masked', { causal: true, pads: true }),
  attention('attention over whole sequences', { causal: false, pads: false }),
  {
    name: 'Wasserstein attention with dropout',
    tolerance: 2e-5,
    compute: () =>
      valueAndGradients(
        (query: tf.Tensor2D, key: tf.Tensor2D, value: tf.Tensor2D) => {
          const dropped = { rate: 0.2, seed: 1, step: 2, site: 3 };
          return wassersteinAttention({ query, key, value, layout: LAYOUT, heads: 2, dropout: dropped });
        },
        [packed(16), packed(17), packed(18)],
      ),
  },
  {
    name: 'gated recurrent unit',
    tolerance: 2e-5,
    compute: () =>
      valueAndGradients(
        (
          x: tf.Tensor2D,
          inputWeight: tf.Tensor2D,
          hiddenWeight: tf.Tensor2D,
          inputBias: tf.Tensor1D,
          hiddenBias: tf.Tensor1D,
        ) => gru(x, LAYOUT, { inputWeight, hiddenWeight, inputBias, hiddenBias }),
        [packed(31), matrix(WIDTH, 18, 32), matrix(6, 18, 33), vector(18, 34), vector(18, 35)],
      ),
  },
  {
    name: 'Elman network',
    tolerance: 2e-5,
    compute: () =>
      valueAndGradients(
        (x: tf.Tensor2D, inputWeight: tf.Tensor2D, hiddenWeight: tf.Tensor2D, bias: tf.Tensor1D) =>
          elman(x, LAYOUT, { inputWeight, hiddenWeight, bias, activation: 'tanh' }),
        [packed(36), matrix(WIDTH, 6, 37), matrix(6, 6, 38), vector(6, 39)],
      ),
  },
];
