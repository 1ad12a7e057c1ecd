import type { SequenceLayout } from '../sequenceLayout.ts';
import { tf } from '../tf.ts';
import { splitByPlace, timeMajorOrder } from '../timeMajorOrder.ts';
import { composedRecurrence } from './composedRecurrence.ts';
import type { ElmanActivation } from './elmanActivation.ts';
import { composedEmbeddingLookup, embeddingLookup } from './embeddingLookup.ts';
import { expectShape } from './expectShape.ts';
import { fusedElman } from './fusedElman.ts';
import { wasmBackendInUse } from './wasmBackendInUse.ts';

/**
 * Weights of an Elman network. Tied: one matrix for every place, as usual. Untied: a leading axis of `steps` matrices, at
 * least the longest sequence's tokens; both weights alike, where there are two.
 */
export interface ElmanWeights {
  /** [in, width], or [steps, in, width]; null where x, of `width` columns, is W times the inputs already. */
  readonly inputWeight: tf.Tensor2D | tf.Tensor3D | null;
  /** [width, width], or [steps, width, width] */
  readonly hiddenWeight: tf.Tensor2D | tf.Tensor3D;
  /** [width] */
  readonly bias?: tf.Tensor1D | undefined;
  /** [sequences, width] states before the first token; zeros by default. */
  readonly initial?: tf.Tensor2D | undefined;
  readonly activation: ElmanActivation;
}

/**
 * An Elman network (Elman 1990; RNTK paper, eq. 1): h' = φ(x W + h U + b). x [tokens, in], packed as `layout` says -> states
 * after every token [tokens, width], packed. The gradient of relu at 0 is 0. Throws BAD_INPUT for shapes that do not fit.
 */
export function elman(x: tf.Tensor2D, layout: SequenceLayout, weights: ElmanWeights): tf.Tensor2D {
  check(x, layout, weights);
  const backend = wasmBackendInUse();
  if (!backend) return composedElman(x, layout, weights);
  return tf.tidy(() => fusedElman(backend, project(x, layout, weights, embeddingLookup), { ...weights, layout }));
}

/** The reference implementation of `elman`, out of tfjs operations. */
export function composedElman(x: tf.Tensor2D, layout: SequenceLayout, weights: ElmanWeights): tf.Tensor2D {
  const { hiddenWeight } = weights;
  return tf.tidy(() => {
    const width = hiddenWeight.shape.at(-1)!;
    const matrices = hiddenWeight.rank === 3 ? tf.unstack(hiddenWeight) : null;
    return composedRecurrence({
      projected: project(x, layout, weights, composedEmbeddingLookup),
      layout,
      initial: weights.initial ?? tf.zeros([layout.sequences, width]),
      step: (projected, before, t) => {
        const matrix = (matrices ? matrices[t]! : hiddenWeight) as tf.Tensor2D;
        const sum: tf.Tensor2D = tf.add(projected, tf.matMul(before, matrix));
        return activate(sum, weights.activation);
      },
    });
  });
}

function activate(x: tf.Tensor2D, activation: ElmanActivation): tf.Tensor2D {
  if (activation === 'tanh') return tf.tanh(x);
  return activation === 'relu' ? tf.relu(x) : tf.erf(x);
}

/** x W + b for every token, packed: one product where the weights are tied, else one a place. */
function project(
  x: tf.Tensor2D,
  layout: SequenceLayout,
  { inputWeight, bias }: ElmanWeights,
  lookup: typeof embeddingLookup,
): tf.Tensor2D {
  let product = x;
  if (inputWeight?.rank === 2) {
    product = tf.matMul(x, inputWeight as tf.Tensor2D);
  } else if (inputWeight) {
    const order = timeMajorOrder(layout);
    const matrices = tf.unstack(inputWeight);
    const inputs = splitByPlace(lookup(x, order.rows), order);
    const products = inputs.map((input, t): tf.Tensor2D => tf.matMul(input, matrices[t] as tf.Tensor2D));
    product = lookup(tf.concat(products, 0), order.places);
  }
  return bias ? tf.add(product, bias) : product;
}

function check(x: tf.Tensor2D, layout: SequenceLayout, weights: ElmanWeights): void {
  const { inputWeight, hiddenWeight, bias, initial } = weights;
  const width = hiddenWeight.shape.at(-1)!;
  expectShape('elman', 'x', x, [layout.tokens, inputWeight ? null : width]);
  const steps = hiddenWeight.rank === 3 ? [Math.max(hiddenWeight.shape[0], layout.maximumLength)] : [];
  if (inputWeight) expectShape('elman', 'inputWeight', inputWeight, [...steps, x.shape[1], width]);
  expectShape('elman', 'hiddenWeight', hiddenWeight, [...steps, width, width]);
  if (bias) expectShape('elman', 'bias', bias, [width]);
  if (initial) expectShape('elman', 'initial', initial, [layout.sequences, width]);
}
