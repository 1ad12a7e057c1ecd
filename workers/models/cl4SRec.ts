/**
 * CL4SRec: X. Xie et al., "Contrastive learning for sequential recommendation", ICDE 2022, Section 3: SASRec, which beside the next
 * item learns to tell the two views of a sequence, cut, masked or in another order, from those of the other sequences of the batch.
 * States themselves are compared, without a projection.
 */
import { tf } from '../tensor/tf.ts';
import { type GeneratorOf, initialMatrix } from './initialValues.ts';
import type { InitialDistribution } from './initialTable.ts';
import { initSasRec, type SasRecShape } from './sasRec.ts';
import {
  type SequenceBatch,
  type SequenceInput,
  type SequenceLoss,
  type SequenceNetwork,
  sequenceLoss,
  type StepDraw,
} from './sequenceNetwork.ts';

export interface Cl4SRecOptions {
  loss: SequenceLoss;
  /** λ, what the contrast counts beside the next item. */
  contrast: number;
  /** τ */
  temperature: number;
}

/** A batch with both views of each of its sequences: the first of all, then the second of all, by their last tokens. */
export interface ViewedBatch extends SequenceBatch {
  readonly views: SequenceInput;
}

/** SASRec's parameters before training, and what stands for masked items. */
export function initCl4SRec(
  shape: SasRecShape,
  distribution: InitialDistribution,
  generatorOf: GeneratorOf,
): Map<string, tf.Variable> {
  const parameters = initSasRec(shape, distribution, generatorOf);
  const mask = { method: 'normal', deviation: Math.sqrt(2 / (shape.itemCount + shape.dimension)) } as const;
  return parameters.set('mask', initialMatrix([1, shape.dimension], mask, generatorOf('mask')));
}

/** The loss of the next item and λ times that of the views: a scalar, differentiable in the parameters. */
export function cl4SRecLoss(
  network: SequenceNetwork,
  batch: ViewedBatch,
  { options, draw }: { options: Cl4SRecOptions; draw: StepDraw | null },
): tf.Scalar {
  const nextItem = sequenceLoss(network, batch, { loss: options.loss, draw });
  if (options.contrast === 0) return nextItem;
  const views = network.states(batch.views, draw === null ? null : { ...draw, seed: draw.seed + VIEWS });
  return tf.add(nextItem, tf.mul(viewContrast(views, options.temperature), options.contrast));
}

/** Sets what is dropped of views apart from what is dropped of the sequences. */
const VIEWS = 1;

/**
 * Mean of -ln of the share of a view's partner among all other views of the batch, by e^(product / τ) (Eq. 3). views [2 n, d], row i and
 * row i + n being partners; products of all pairs of views are made, nothing of items.
 */
export function viewContrast(views: tf.Tensor2D, temperature: number): tf.Scalar {
  const count = views.shape[0];
  const products = tf.mul<tf.Tensor2D>(tf.matMul(views, views, false, true), 1 / temperature);
  const partners = tf.concat([tf.slice(views, [count / 2, 0]), tf.slice(views, [0, 0], [count / 2, -1])], 0);
  const own = tf.mul(tf.sum(tf.mul(views, partners), 1), 1 / temperature); // (2 n)
  const others = tf.sub(products, tf.mul(tf.eye(count), HIDDEN));
  const greatest = tf.max(others, 1, true);
  const total = tf.sum(tf.exp(tf.sub(others, greatest)), 1);
  return tf.mean(tf.sub(tf.add(tf.log(total), tf.squeeze(greatest, [1])), own)) as tf.Scalar;
}

/** What takes a view's product with itself out of the sum. */
const HIDDEN = 1e9;
