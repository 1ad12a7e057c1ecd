import { badInput } from '#src/base/contracts/errors.ts';
import { tf } from '../tf.ts';
import { checkIds } from './checkIds.ts';
import { composedEmbeddingLookup } from './embeddingLookup.ts';
import { expectShape } from './expectShape.ts';

/** What the losses over sampled items take. The score of an item at a position is the dot product of its row with `hidden`. */
export interface SampledLoss {
  /** [positions, d] */
  readonly hidden: tf.Tensor2D;
  /** [items, d] */
  readonly table: tf.Tensor2D;
  /** (positions) The item that came. */
  readonly positives: Int32Array;
  /** (positions × k), k of them for each position, one position after the other. */
  readonly negatives: Int32Array;
  /** What the sum over positions is divided by: the positions of the whole logical batch. Defaults to those given. */
  readonly normaliser?: number | undefined;
}

/** Negatives for each position. Throws BAD_INPUT for shapes, items or a normaliser that do not fit. */
export function checkSampledLoss(operation: string, loss: SampledLoss): number {
  const { hidden, table, positives, negatives, normaliser } = loss;
  expectShape(operation, 'hidden', hidden, [null, null]);
  expectShape(operation, 'table', table, [null, hidden.shape[1]]);
  const [positions] = hidden.shape;
  checkIds(`${operation}: positives`, positives, { rows: table.shape[0], expected: positions });
  const each = Math.max(1, Math.floor(negatives.length / positions));
  checkIds(`${operation}: negatives`, negatives, { rows: table.shape[0], expected: each * positions });
  checkNormaliser(operation, normaliser);
  return each;
}

/** Throws BAD_INPUT for a divisor that is not above 0. */
export function checkNormaliser(operation: string, normaliser: number | undefined): void {
  if (normaliser !== undefined && !(normaliser > 0 && Number.isFinite(normaliser))) {
    throw badInput(`${operation}: normaliser ${normaliser}; expected a number above 0`);
  }
}

/** Scores out of tfjs operations: positives [positions, 1], negatives [positions, k]. */
export function composedScores(loss: SampledLoss): { positive: tf.Tensor2D; negative: tf.Tensor2D } {
  const { hidden, table, positives, negatives } = loss;
  const [positions, columns] = hidden.shape;
  const each = negatives.length / positions;
  const positive = tf.sum(tf.mul(hidden, composedEmbeddingLookup(table, positives)), 1, true) as tf.Tensor2D;
  const rows = tf.reshape(composedEmbeddingLookup(table, negatives), [positions, each, columns]);
  const negative = tf.sum(tf.mul(tf.expandDims(hidden, 1), rows), 2) as tf.Tensor2D;
  return { positive, negative };
}
