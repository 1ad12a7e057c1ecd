/**
 * Hierarchical gating network: C. Ma, P. Kang, X. Liu, KDD 2019. Of the last L items, a feature gate keeps what of each embedding
 * suits the user (Eq. 2), an instance gate how much of each item (Eq. 3); their mean, the user's embedding and the plain sum
 * of the items are matched with a second embedding of each item (Eq. 6). Trained by BPR on the next T items.
 */
import { embeddingLookup } from '../tensor/operations/embeddingLookup.ts';
import { tf } from '../tensor/tf.ts';
import type { EmbeddingStart } from './initialTable.ts';
import { type GeneratorOf, initialConstant, initialMatrix } from './initialValues.ts';
import type { InteractionBatch, InteractionNetwork, Moments } from './interactionNetwork.ts';
import { matrixOf, type Parameters, vectorOf } from './namedParameters.ts';

export interface HgnShape {
  userCount: number;
  itemCount: number;
  dimension: number;
  /** Items that it looks back at, L. */
  recent: number;
  /** Next items of a training sample, T. */
  targets: number;
}

/** The parameters before training: both tables of items from `start.items`, gates by Xavier's uniform distribution. */
export function initHgn(shape: HgnShape, start: EmbeddingStart, generatorOf: GeneratorOf): Map<string, tf.Variable> {
  const { userCount, itemCount, dimension: d, recent } = shape;
  const parameters = new Map<string, tf.Variable>();
  const matrix = (name: string, rows: number, from: EmbeddingStart['users'], columns = d): void => {
    parameters.set(name, initialMatrix([rows, columns], from, generatorOf(name)));
  };
  matrix('users', userCount, start.users);
  matrix('items', itemCount, start.items);
  matrix('matched/items', itemCount, start.items);
  parameters.set('matched/bias', initialConstant(itemCount, 0));
  const gate = { method: 'xavier-uniform' } as const;
  matrix('featureGate/item', d, gate);
  matrix('featureGate/user', d, gate);
  parameters.set('featureGate/bias', initialConstant(d, 0));
  matrix('instanceGate/item', d, gate, 1);
  matrix('instanceGate/user', d, gate, recent);
  return parameters;
}

/** HGN as a network over these parameters. */
export function hgn(parameters: Parameters, shape: HgnShape): InteractionNetwork {
  return {
    parameters,
    recent: shape.recent,
    targets: shape.targets,
    momentsAtOnce: 1024,
    loss: (batch) => tf.tidy(() => pairwise(parameters, shape, batch)),
    scores: (moments) =>
      tf.tidy(() => {
        const products = tf.matMul(
          stateOf(parameters, shape, moments),
          matrixOf(parameters, 'matched/items'),
          false,
          true,
        );
        return tf.add(products, vectorOf(parameters, 'matched/bias'));
      }),
  };
}

/** [moments, d] What is matched with items: the user, the gated mean of its recent items, and their sum. */
function stateOf(parameters: Parameters, { recent: length, dimension: d }: HgnShape, moments: Moments): tf.Tensor2D {
  const { users, recent } = moments;
  const count = users.length;
  const flat = embeddingLookup(matrixOf(parameters, 'items'), recent, { blanks: true }); // (moments × L, d)
  const user = embeddingLookup(matrixOf(parameters, 'users'), users); // (moments, d)
  const items = tf.reshape(flat, [count, length, d]);
  const ofItems = tf.reshape(tf.matMul(flat, matrixOf(parameters, 'featureGate/item')), [count, length, d]);
  const ofUser: tf.Tensor2D = tf.add(
    tf.matMul(user, matrixOf(parameters, 'featureGate/user')),
    vectorOf(parameters, 'featureGate/bias'),
  );
  const gated = tf.mul(items, tf.sigmoid(tf.add(ofItems, tf.expandDims(ofUser, 1))));
  const itemScores = tf.reshape(
    tf.matMul(tf.reshape(gated, [count * length, d]) as tf.Tensor2D, matrixOf(parameters, 'instanceGate/item')),
    [count, length],
  );
  const instance = tf.sigmoid(tf.add(itemScores, tf.matMul(user, matrixOf(parameters, 'instanceGate/user'))));
  const sum = tf.sum(tf.mul(gated, tf.expandDims(instance, 2)), 1);
  const mean = tf.div(sum, tf.sum(instance, 1, true));
  return tf.addN([user, mean, tf.sum(items, 1)]) as tf.Tensor2D;
}

/** Mean of -ln σ(s⁺ - s⁻) over the targets and their negatives. */
function pairwise(parameters: Parameters, shape: HgnShape, batch: InteractionBatch): tf.Scalar {
  const { users, positives, negatives } = batch;
  const pairs = negatives.length;
  const perMoment = pairs / users.length;
  const perTarget = pairs / positives.length;
  const rowOf = Int32Array.from({ length: pairs }, (_, pair) => Math.floor(pair / perMoment));
  const came = Int32Array.from({ length: pairs }, (_, pair) => positives[Math.floor(pair / perTarget)]!);
  const state = embeddingLookup(stateOf(parameters, shape, batch), rowOf); // (pairs, d)
  const table = matrixOf(parameters, 'matched/items');
  const bias = tf.expandDims(vectorOf(parameters, 'matched/bias'), 1) as tf.Tensor2D;
  const scores = (ids: Int32Array) =>
    tf.add(tf.sum(tf.mul(state, embeddingLookup(table, ids)), 1, true), embeddingLookup(bias, ids));
  return tf.mean(tf.softplus(tf.sub(scores(negatives), scores(came)))) as tf.Scalar;
}
