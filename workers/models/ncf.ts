/**
 * Neural collaborative filtering, NeuMF: X. He et al., WWW 2017, Section 3.4. Generalised matrix factorisation u ⊙ e and a
 * tower of dense layers over [u, e], each with embeddings of its own, meet in one layer that gives the score's logit.
 */
import { embeddingLookup } from '../tensor/operations/embeddingLookup.ts';
import { linear } from '../tensor/operations/linear.ts';
import { tf } from '../tensor/tf.ts';
import { initConvolution } from './convolution.ts';
import type { EmbeddingStart } from './initialTable.ts';
import { type GeneratorOf, initialMatrix } from './initialValues.ts';
import type { InteractionBatch, InteractionNetwork } from './interactionNetwork.ts';
import { affine, matrixOf, type Parameters, vectorOf } from './namedParameters.ts';

export interface NcfShape {
  userCount: number;
  itemCount: number;
  /** Length of all embeddings. */
  dimension: number;
  /** Widths of the tower's layers, at least one. */
  layers: readonly number[];
}

/** Rows of the tower computed at once. */
const ROWS_AT_ONCE = 65_536;

/** The parameters before training: both pairs of tables from `start`, all layers as PyTorch starts them. */
export function initNcf(shape: NcfShape, start: EmbeddingStart, generatorOf: GeneratorOf): Map<string, tf.Variable> {
  const { userCount, itemCount, dimension: d, layers } = shape;
  const parameters = new Map<string, tf.Variable>();
  for (const part of ['product', 'tower']) {
    const [users, items] = [`${part}/users`, `${part}/items`];
    parameters.set(users, initialMatrix([userCount, d], start.users, generatorOf(users)));
    parameters.set(items, initialMatrix([itemCount, d], start.items, generatorOf(items)));
  }
  let inputs = 2 * d;
  for (const [layer, outputs] of layers.entries()) {
    initConvolution(parameters, `layer${layer}`, { inputs, outputs, generatorOf });
    inputs = outputs;
  }
  initConvolution(parameters, 'score', { inputs: d + inputs, outputs: 1, generatorOf });
  return parameters;
}

/** NCF as a network over these parameters; it looks back at no items. */
export function ncf(parameters: Parameters, shape: NcfShape): InteractionNetwork {
  return {
    parameters,
    recent: 0,
    targets: 1,
    momentsAtOnce: Math.max(1, Math.floor(ROWS_AT_ONCE / shape.itemCount)),
    loss: (batch) => tf.tidy(() => crossEntropy(parameters, shape, batch)),
    scores: ({ users }) => tf.tidy(() => allScores(parameters, shape, users)),
  };
}

/** Binary cross-entropy of what came against what did not: the mean over all of both. */
function crossEntropy(
  parameters: Parameters,
  shape: NcfShape,
  { users, positives, negatives }: InteractionBatch,
): tf.Scalar {
  const each = negatives.length / positives.length;
  const pairs = (1 + each) * positives.length;
  const [pairUsers, pairItems] = [new Int32Array(pairs), new Int32Array(pairs)];
  for (const [row, user] of users.entries()) {
    for (let k = 0; k <= each; k++) {
      pairUsers[k * users.length + row] = user;
      pairItems[k * users.length + row] = k === 0 ? positives[row]! : negatives[row * each + k - 1]!;
    }
  }
  const rows = (name: string, ids: Int32Array) => embeddingLookup(matrixOf(parameters, name), ids); // (pairs, d)
  const product: tf.Tensor2D = tf.mul(rows('product/users', pairUsers), rows('product/items', pairItems));
  const first = affine(
    parameters,
    'layer0',
    tf.concat([rows('tower/users', pairUsers), rows('tower/items', pairItems)], 1) as tf.Tensor2D,
    'relu',
  );
  const towered = tower(parameters, shape, first);
  const logits = affine(parameters, 'score', tf.concat([product, towered], 1) as tf.Tensor2D);
  const came = tf.slice(logits, [0, 0], [users.length, 1]);
  const other = tf.slice(logits, [users.length, 0], [pairs - users.length, 1]);
  const sum = tf.add(tf.sum(tf.softplus(tf.neg(came))), tf.sum(tf.softplus(other)));
  return tf.div(sum, pairs);
}

/** The tower's layers after its first. */
function tower(parameters: Parameters, { layers }: NcfShape, first: tf.Tensor2D): tf.Tensor2D {
  let x = first;
  for (const layer of [...layers.keys()].slice(1)) x = affine(parameters, `layer${layer}`, x, 'relu');
  return x;
}

/** [users, items] The logits of all items. */
function allScores(parameters: Parameters, shape: NcfShape, users: Int32Array): tf.Tensor2D {
  const { dimension: d, layers, itemCount } = shape;
  const width = layers.at(-1)!;
  const own = (name: string) => embeddingLookup(matrixOf(parameters, name), users);
  const [ofProduct, ofTower] = tf.split(matrixOf(parameters, 'score/weight'), [d, width], 0) as [
    tf.Tensor2D,
    tf.Tensor2D,
  ];
  const weighted: tf.Tensor2D = tf.mul(own('product/users'), tf.reshape(ofProduct, [1, d]));
  const products = tf.matMul(weighted, matrixOf(parameters, 'product/items'), false, true); // (users, items)
  const [ofUser, ofItem] = tf.split(matrixOf(parameters, 'layer0/weight'), 2, 0) as [tf.Tensor2D, tf.Tensor2D];
  const userPart = linear(own('tower/users'), ofUser, vectorOf(parameters, 'layer0/bias'));
  const itemPart = linear(matrixOf(parameters, 'tower/items'), ofItem, null);
  const first = tf.relu(tf.add(tf.expandDims(userPart, 1), tf.expandDims(itemPart, 0)));
  const rows = tower(parameters, shape, tf.reshape(first, [-1, layers[0]!]) as tf.Tensor2D);
  const towered = tf.reshape(linear(rows, ofTower, vectorOf(parameters, 'score/bias')), [users.length, itemCount]);
  return tf.add(products, towered);
}
