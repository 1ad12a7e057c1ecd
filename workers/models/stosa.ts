/**
 * STOSA: Z. Fan et al., "Sequential recommendation via stochastic self-attention", WWW 2022, in the form of SEvo's
 * authors. An item is a Gaussian, a mean and a covariance vector with tables of their own; with positions, LN, and ELU (plus 1 for
 * covariances, which are then above 0) they pass blocks of Wasserstein attention and networks F of d → 4d → d with ELU, means
 * and covariances each by layers of their own, but by common normalisations before F. Items are ranked by the Wasserstein
 * distance to the last state.
 */
import { activation } from '../tensor/operations/activation.ts';
import { embeddingLookup } from '../tensor/operations/embeddingLookup.ts';
import { tf } from '../tensor/tf.ts';
import type { InitialDistribution } from './initialTable.ts';
import { type GeneratorOf, initialConstant, initialMatrix } from './initialValues.ts';
import { matrixOf, type Parameters } from './namedParameters.ts';
import { packHistories, type RankingNetwork, type SequenceBatch, type StepDraw } from './sequenceNetwork.ts';
import { HALVES, pair, type StosaComputation, type StosaOptions, type StosaShape, stosaStates } from './stosaStates.ts';

/** What matrices are drawn from before training; biases are 0 and gains 1. */
export interface StosaStart {
  /** Of the means of the items. */
  items: InitialDistribution;
  mean: number;
  deviation: number;
}

export interface Stosa extends RankingNetwork {
  /** Mean over the positions of BPR by distances and of the weighted hinge: a scalar. */
  loss(batch: SequenceBatch, draw: StepDraw | null): tf.Scalar;
}

/** The parameters before training: matrices from the normal distribution of `start`, but for the means of the items. */
export function initStosa(
  { itemCount, dimension: d, maximumLength, blocks, means }: StosaShape,
  start: StosaStart,
  generatorOf: GeneratorOf,
): Map<string, tf.Variable> {
  const parameters = new Map<string, tf.Variable>();
  const own: InitialDistribution = { method: 'normal', deviation: start.deviation };
  const matrix = (name: string, shape: [number, number], from: InitialDistribution = own): void => {
    const variable = initialMatrix(shape, from, generatorOf(name));
    if (from.method !== 'given') shift(variable, start.mean);
    parameters.set(name, variable);
  };
  const layer = (name: string, inputs: number, outputs: number): void => {
    matrix(`${name}/weight`, [inputs, outputs]);
    parameters.set(`${name}/bias`, initialConstant(outputs, 0));
  };
  const normalisation = (name: string): void => {
    parameters.set(`${name}/gain`, initialConstant(d, 1));
    parameters.set(`${name}/bias`, initialConstant(d, 0));
  };
  for (const half of HALVES) {
    matrix(`items/${half}`, [itemCount, d], half === 'mean' ? start.items : own);
    matrix(`positions/${half}`, [maximumLength, d]);
  }
  normalisation('embeddingNorm');
  for (let block = 0; block < blocks; block++) {
    for (const half of HALVES) {
      for (const name of ['query', 'key']) layer(`block${block}/${half}/${name}`, d, d);
      if (half === 'mean' && means === 'embedded') continue;
      for (const name of ['value', 'output']) layer(`block${block}/${half}/${name}`, d, d);
      layer(`block${block}/${half}/forward1`, d, 4 * d);
      layer(`block${block}/${half}/forward2`, 4 * d, d);
      normalisation(`block${block}/${half}/forwardNorm`);
    }
    normalisation(`block${block}/attentionNorm`);
  }
  return parameters;
}

/** STOSA as a network over these parameters. */
export function stosa(parameters: Parameters, shape: StosaShape, options: StosaOptions): Stosa {
  const means = matrixOf(parameters, 'items/mean');
  const covariances = matrixOf(parameters, 'items/covariance');
  const at = { shape, options };
  return {
    parameters,
    items: means,
    embeddings: ['items/mean', 'items/covariance'],
    maximumLength: shape.maximumLength,
    loss: (batch, draw) => stosaLoss(parameters, batch, { ...at, draw }),
    itemRows: () => {
      const rows = tf.concat([means, activation<tf.Tensor2D>(covariances, 'deviation')], 1);
      return tf.concat([rows, tf.mul(tf.sum(tf.square(rows), 1, true), -0.5)], 1); // (items, 2d + 1)
    },
    queries: (histories) => {
      const { items, layout, rows } = packHistories(histories, shape.maximumLength);
      const tokens = { mean: embeddingLookup(means, items), covariance: embeddingLookup(covariances, items) };
      const states = stosaStates(parameters, { tokens, layout, rows }, { ...at, draw: null });
      return tf.concat([states, tf.ones([histories.length, 1])], 1); // (histories, 2d + 1)
    },
  };
}

/** -log σ(d⁻ - d⁺) and λ max(0, d⁺ - d(+, -)) of squared Wasserstein distances, the mean over positions and negatives. */
function stosaLoss(parameters: Parameters, batch: SequenceBatch, computation: StosaComputation): tf.Scalar {
  const { items, layout, rows, targets, negatives } = batch;
  const all = new Int32Array(items.length + targets.length + negatives.length);
  all.set(items);
  all.set(targets, items.length);
  all.set(negatives, items.length + targets.length);
  const parts = [items.length, targets.length, negatives.length];
  const [mean, covariance] = HALVES.map((half) =>
    tf.split(embeddingLookup(matrixOf(parameters, `items/${half}`), all), parts, 0),
  ) as [tf.Tensor2D[], tf.Tensor2D[]];
  const gaussian = (part: number): tf.Tensor2D => pair(mean[part]!, activation(covariance[part]!, 'deviation'));
  const tokens = { mean: mean[0]!, covariance: covariance[0]! };
  const state = stosaStates(parameters, { tokens, layout, rows }, computation); // (positions, 2d)
  const each = negatives.length / targets.length;
  const [positions, columns] = state.shape;
  const positive: tf.Tensor3D = tf.reshape(gaussian(1), [positions, 1, columns]);
  const negative: tf.Tensor3D = tf.reshape(gaussian(2), [positions, each, columns]);
  const query: tf.Tensor3D = tf.reshape(state, [positions, 1, columns]);
  const near = squaredDistance(query, positive); // (positions, 1)
  const far = squaredDistance(query, negative); // (positions, negatives of each)
  const ranked = tf.mean(tf.softplus(tf.sub(near, far)));
  const hinge = tf.mean(tf.relu(tf.sub(near, squaredDistance(positive, negative))));
  return tf.add(ranked, tf.mul(hinge, computation.options.hingeWeight));
}

/** W₂² of Gaussians that are given as means and standard deviations, along the last axis. */
function squaredDistance(one: tf.Tensor3D, other: tf.Tensor3D): tf.Tensor2D {
  return tf.sum(tf.square(tf.sub(one, other)), 2);
}

function shift(matrix: tf.Variable, by: number): void {
  const values = tf.add(matrix, by);
  matrix.assign(values);
  values.dispose();
}
