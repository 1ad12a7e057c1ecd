import { tf } from '../tf.ts';
import { differentiable } from './differentiable.ts';
import type { FullSoftmax } from './fullSoftmax.ts';

/** Scores that are there at once: 64 MiB of them, or one position's. */
const BLOCK_SCORES = 2 ** 24;

/** The reference implementation of `fullSoftmaxCrossEntropy`, out of tfjs operations; `blockScores` bounds what is there at once. */
export function composedFullSoftmax(softmax: FullSoftmax, blockScores = BLOCK_SCORES): tf.Scalar {
  const { hidden, table, bias } = softmax;
  const wanted = tf.engine().isTapeOn();
  return differentiable<tf.Scalar>(bias ? [hidden, table, bias] : [hidden, table], (save) => {
    const { loss, gradients } = lossAndGradients(softmax, wanted, blockScores);
    if (wanted) save(gradients);
    return { value: loss, gradient: (upstream, saved) => saved.map((unit) => tf.mul(unit, upstream)) };
  });
}

/** Sums over the blocks so far; gradients stay zero where nobody wants them. */
type Sums = { loss: tf.Tensor; table: tf.Tensor; bias: tf.Tensor };

/** The loss, and its gradients in hidden, table and bias where they are `wanted`. */
function lossAndGradients(
  softmax: FullSoftmax,
  wanted: boolean,
  blockScores: number,
): { loss: tf.Scalar; gradients: tf.Tensor[] } {
  const { hidden, table, bias } = softmax;
  const [items, columns] = table.shape;
  const rows = Math.max(1, Math.floor(blockScores / items));
  let sums: Sums = { loss: tf.scalar(0), table: tf.zeros([items, columns]), bias: tf.zeros([items]) };
  const parts: tf.Tensor2D[] = [];
  for (let from = 0; from < hidden.shape[0]; from += rows) {
    const block = tf.tidy(() => blockGradients(softmax, from, { rows, wanted }));
    const next: Sums = tf.tidy(() => ({
      loss: tf.add(sums.loss, block.loss),
      table: wanted ? tf.add(sums.table, block.table) : tf.clone(sums.table),
      bias: wanted && bias ? tf.add(sums.bias, block.bias) : tf.clone(sums.bias),
    }));
    if (wanted) parts.push(block.hidden);
    tf.dispose([block.loss, block.table, block.bias, sums.loss, sums.table, sums.bias]);
    sums = next;
  }
  const gradients = wanted ? [tf.concat(parts, 0), sums.table, ...(bias ? [sums.bias] : [])] : [];
  return { loss: sums.loss as tf.Scalar, gradients };
}

type Block = { loss: tf.Tensor; hidden: tf.Tensor2D; table: tf.Tensor; bias: tf.Tensor };

/** Loss and gradients of the `rows` positions from the `from`-th; empty gradients where they are not `wanted`. */
function blockGradients(
  { hidden, table, targets, bias, weights, normaliser }: FullSoftmax,
  from: number,
  { rows, wanted }: { rows: number; wanted: boolean },
): Block {
  const [positions, columns] = hidden.shape;
  const [items] = table.shape;
  const count = Math.min(rows, positions - from);
  const ids = targets.subarray(from, from + count);
  const factors = Float32Array.from(ids, (_, at) => (weights?.[from + at] ?? 1) / (normaliser ?? positions));
  const states = tf.slice(hidden, [from, 0], [count, columns]);
  const factor = tf.tensor2d(factors, [count, 1]);
  const targetIds = tf.tensor1d(ids, 'int32');
  const product: tf.Tensor2D = tf.matMul(states, table, false, true); // (count, items)
  const scores: tf.Tensor2D = bias ? tf.add(product, bias) : product;
  const logSum = tf.logSumExp(scores, 1, true); // (count, 1)
  const targetRows = tf.gather(table, targetIds);
  let own: tf.Tensor = tf.sum(tf.mul(states, targetRows), 1, true);
  if (bias) own = tf.add(own, tf.reshape(tf.gather(bias, targetIds), [count, 1]));
  const loss = tf.sum(tf.mul(factor, tf.sub(logSum, own)));
  if (!wanted) return { loss, hidden: tf.zeros([0, columns]), table: tf.zeros([0]), bias: tf.zeros([0]) };
  const slopes: tf.Tensor2D = tf.mul(factor, tf.exp(tf.sub(scores, logSum)));
  const indices = tf.tensor2d(ids, [count, 1], 'int32');
  const ownTable = tf.scatterND(indices, tf.mul(factor, states), [items, columns]);
  const ownBias = tf.scatterND(indices, tf.reshape(factor, [count]), [items]);
  return {
    loss,
    hidden: tf.sub(tf.matMul(slopes, table), tf.mul(factor, targetRows)),
    table: tf.sub(tf.matMul(slopes, states, true, false), ownTable),
    bias: tf.sub(tf.sum(slopes, 0), ownBias),
  };
}
