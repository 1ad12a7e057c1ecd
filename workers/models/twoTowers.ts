/**
 * The two-tower recommender of Featurizing Pretrained Representations (Appendix F, Figure A.2): the user's tower is a gated
 * recurrent layer over the representations of the history and dense layers, the item's tower dense layers over the
 * representation of the item, all dense ones with a sigmoid. A score is the product of the two. Representations stay as they are.
 */
import { bayesianPersonalisedRanking } from '../tensor/operations/bayesianPersonalisedRanking.ts';
import { binaryCrossEntropy } from '../tensor/operations/binaryCrossEntropy.ts';
import { embeddingLookup } from '../tensor/operations/embeddingLookup.ts';
import { gru } from '../tensor/operations/gru.ts';
import { tf } from '../tensor/tf.ts';
import { type GeneratorOf, initialConstant, initialMatrix } from './initialValues.ts';
import { affine, matrixOf, type Parameters, vectorOf } from './namedParameters.ts';
import {
  packHistories,
  type RankingNetwork,
  rowsOf,
  type SequenceBatch,
  type SequenceInput,
} from './sequenceNetwork.ts';

export interface TowerShape {
  /** Of the representations. */
  dimension: number;
  /** Units of the recurrent and of the dense layers. */
  width: number;
  /** Dense layers of each tower. */
  layers: number;
  /** Whether a trained constant is added to every score, which only the logistic loss can learn. */
  hasConstant: boolean;
  /** Longer histories are cut to their last items. */
  maximumLength: number;
}

/** The recommender, and its loss. */
export interface TwoTowers extends RankingNetwork {
  /** Mean loss over the positions of the batch; a scalar, differentiable in the parameters. */
  loss(batch: SequenceBatch): tf.Scalar;
}

/** What the sigmoids of both towers multiply to, unit by unit, before training. */
const FIRST_PRODUCT = 0.25;

/**
 * The parameters before training, as Keras starts them: matrices from Xavier's uniform distribution, biases 0. The constant
 * begins where scores are about 0; at 0 it would take the first epochs to fall to where it can rank.
 */
export function initTwoTowers(shape: TowerShape, generatorOf: GeneratorOf): Map<string, tf.Variable> {
  const { dimension, width, layers, hasConstant } = shape;
  const parameters = new Map<string, tf.Variable>();
  const matrix = (name: string, size: [number, number]): void => {
    parameters.set(name, initialMatrix(size, { method: 'xavier-uniform' }, generatorOf(name)));
  };
  matrix('gru/input', [dimension, 3 * width]);
  matrix('gru/hidden', [width, 3 * width]);
  for (const side of ['input', 'hidden']) parameters.set(`gru/${side}-bias`, initialConstant(3 * width, 0));
  for (const tower of ['user', 'item']) {
    for (let layer = 0; layer < layers; layer++) {
      const from = layer === 0 && tower === 'item' ? dimension : width;
      matrix(`${tower}/dense${layer}/weight`, [from, width]);
      parameters.set(`${tower}/dense${layer}/bias`, initialConstant(width, 0));
    }
  }
  if (hasConstant) parameters.set('constant', initialConstant(1, -FIRST_PRODUCT * width));
  return parameters;
}

/** The recommender over these parameters and frozen representations [items, dimension], which the caller disposes. */
export function twoTowers(
  parameters: Parameters,
  representations: tf.Variable<tf.Rank.R2>,
  shape: TowerShape,
): TwoTowers {
  const states = (input: SequenceInput): tf.Tensor2D => userRows(parameters, representations, { shape, input });
  const itemRows = (): tf.Tensor2D => itemTower(parameters, representations, shape);
  return {
    parameters,
    items: representations,
    embeddings: [],
    maximumLength: shape.maximumLength,
    itemRows,
    queries: (histories) => states(packHistories(histories, shape.maximumLength)),
    loss: (batch) => {
      const sampled = {
        hidden: states(batch), // (positions, D)
        table: itemRows(), // (items, D)
        positives: batch.targets,
        negatives: batch.negatives,
      };
      return shape.hasConstant ? binaryCrossEntropy(sampled) : bayesianPersonalisedRanking(sampled);
    },
  };
}

/** [positions, D] With the constant, D = width + 1 and the last column is 1. */
function userRows(
  parameters: Parameters,
  representations: tf.Tensor2D,
  { shape, input }: { shape: TowerShape; input: SequenceInput },
): tf.Tensor2D {
  const { items, layout, rows } = input;
  const history = embeddingLookup(representations, items); // (tokens, dimension)
  const hidden = gru(history, layout, {
    inputWeight: matrixOf(parameters, 'gru/input'),
    hiddenWeight: matrixOf(parameters, 'gru/hidden'),
    inputBias: vectorOf(parameters, 'gru/input-bias'),
    hiddenBias: vectorOf(parameters, 'gru/hidden-bias'),
  }); // (tokens, width)
  const user = dense(parameters, 'user', rowsOf(hidden, rows), shape);
  return shape.hasConstant ? tf.concat2d([user, tf.ones([user.shape[0], 1])], 1) : user;
}

/** [items, D] With the constant, it is the last column. */
function itemTower(parameters: Parameters, representations: tf.Tensor2D, shape: TowerShape): tf.Tensor2D {
  const item = dense(parameters, 'item', representations, shape);
  if (!shape.hasConstant) return item;
  // by broadcasting: the gradient of a tile is as many slices as it has rows
  const constant = tf.add<tf.Tensor2D>(tf.zeros([item.shape[0], 1]), vectorOf(parameters, 'constant'));
  return tf.concat2d([item, constant], 1);
}

function dense(parameters: Parameters, tower: string, x: tf.Tensor2D, { layers }: TowerShape): tf.Tensor2D {
  let value: tf.Tensor2D = x;
  for (let layer = 0; layer < layers; layer++) {
    value = tf.sigmoid<tf.Tensor2D>(affine(parameters, `${tower}/dense${layer}`, value));
  }
  return value; // (rows, width)
}
