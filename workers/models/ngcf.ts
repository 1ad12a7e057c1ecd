/**
 * NGCF: X. Wang et al., "Neural graph collaborative filtering", SIGIR 2019, Section 2. Users and items are the nodes of their
 * bipartite graph with L = D^-1/2 A D^-1/2; a layer is E ← LeakyReLU((L + I) E W₁ + b₁ + (L E ⊙ E) W₂ + b₂) (Eq. 7), then dropout
 * (Section 2.4.2). The layers stand beside each other (Eq. 9), all but E⁽⁰⁾ with rows of length 1, as in the authors' code.
 */
import { activation } from '../tensor/operations/activation.ts';
import { bayesianPersonalisedRanking } from '../tensor/operations/bayesianPersonalisedRanking.ts';
import { dropout } from '../tensor/operations/dropout.ts';
import { embeddingLookup } from '../tensor/operations/embeddingLookup.ts';
import { sparseDenseProduct } from '../tensor/operations/sparseDenseProduct.ts';
import { squaredNorms } from '../tensor/operations/squaredNorms.ts';
import { unitRows } from '../tensor/operations/unitRows.ts';
import type { SparseTensor } from '../tensor/sparseTensor.ts';
import { tf } from '../tensor/tf.ts';
import { jointModel, nodeTriples, type TripleBatch } from './factorNetwork.ts';
import { type GeneratorOf, initialConstant, initialMatrix } from './initialValues.ts';
import type { MfModel, MfShape } from './mfBpr.ts';
import { affine, matrixOf, type Parameters } from './namedParameters.ts';
import { dropoutAt, type StepDraw } from './sequenceNetwork.ts';

export interface NgcfShape extends MfShape {
  /** Widths of the layers. */
  readonly layers: readonly number[];
}

export interface NgcfOptions {
  /** Share of each layer's entries that is dropped while training. */
  readonly dropout: number;
  /** What a layer hands to the next: its rows as they are (the paper and its code), or of length 1 (RecBole). */
  readonly handsOn: 'plain' | 'unit';
}

export interface Ngcf {
  /** `nodes`, users first, and the weights of the layers. Whoever made the network disposes them. */
  readonly parameters: Parameters;
  /** (users + items)², symmetric and normalised. */
  readonly graph: SparseTensor;
  readonly shape: NgcfShape;
  readonly options: NgcfOptions;
}

/** The weights of the layers before training: Xavier's uniform distribution, biases 0. */
export function initNgcfLayers({ dimension, layers }: NgcfShape, generatorOf: GeneratorOf): Map<string, tf.Variable> {
  const parameters = new Map<string, tf.Variable>();
  let inputs = dimension;
  for (const [layer, outputs] of layers.entries()) {
    for (const part of ['sum', 'product']) {
      const name = `layer${layer}/${part}`;
      const weight = initialMatrix([inputs, outputs], { method: 'xavier-uniform' }, generatorOf(name));
      parameters.set(`${name}/weight`, weight);
      parameters.set(`${name}/bias`, initialConstant(outputs, 0));
    }
    inputs = outputs;
  }
  return parameters;
}

/** [users + items, d + the widths of the layers] What scores by products; without a draw nothing is dropped. */
export function ngcfRows({ parameters, graph, shape, options }: Ngcf, draw: StepDraw | null): tf.Tensor2D {
  return tf.tidy(() => {
    let last: tf.Tensor2D = matrixOf(parameters, 'nodes');
    const parts = [last];
    for (const layer of shape.layers.keys()) {
      const around = sparseDenseProduct(graph, last);
      const summed = affine(parameters, `layer${layer}/sum`, tf.add(around, last));
      const multiplied = affine(parameters, `layer${layer}/product`, tf.mul(around, last));
      const active = activation<tf.Tensor2D>(tf.add(summed, multiplied), 'leaky-relu');
      const kept = dropout(active, dropoutAt(layer, options.dropout, draw));
      const unit = unitRows(kept);
      parts.push(unit);
      last = options.handsOn === 'unit' ? unit : kept;
    }
    return tf.concat(parts, 1) as tf.Tensor2D;
  });
}

/**
 * Mean of -ln σ(score of the item - score of the other) over the batch, and λ/2 times the mean of the squared norms of the three
 * nodes' rows (Eq. 12, over the batch as in the authors' code): a scalar, differentiable in the parameters.
 */
export function ngcfLoss(
  network: Ngcf,
  batch: TripleBatch,
  { regularization, draw }: { regularization: number; draw: StepDraw | null },
): tf.Scalar {
  const table = ngcfRows(network, draw);
  const { users, positives, negatives } = nodeTriples(batch, network.shape.userCount);
  const hidden = embeddingLookup(table, users); // (triples, width)
  const ranked = bayesianPersonalisedRanking({ hidden, table, positives, negatives });
  if (regularization === 0) return ranked;
  const met = Int32Array.of(...users, ...positives, ...negatives);
  const norms = squaredNorms(table, met);
  return tf.add(ranked, tf.mul(norms, regularization / (2 * users.length))) as tf.Scalar;
}

/** The rows that score, copied out. */
export function ngcfModel(network: Ngcf): Promise<MfModel> {
  return jointModel(ngcfRows(network, null), network.shape.userCount);
}
