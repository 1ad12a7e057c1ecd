import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { type BackendCheck, normalTensor, valueAndGradients } from './backendCheck.ts';
import { bayesianPersonalisedRanking } from '../operations/bayesianPersonalisedRanking.ts';
import { binaryCrossEntropy } from '../operations/binaryCrossEntropy.ts';
import { embeddingLookup } from '../operations/embeddingLookup.ts';
import { fullSoftmaxCrossEntropy } from '../operations/fullSoftmaxCrossEntropy.ts';
import type { tf } from '../tf.ts';

const POSITIONS = 57;
const ITEMS = 203;
const WIDTH = 16;

/** Item numbers, some of them more than once. */
function items(count: number, seed: number): Int32Array {
  const generator = randomGenerator(seed, 'backend checks');
  return Int32Array.from({ length: count }, () => generator.nextInt(ITEMS));
}

const hidden = (): tf.Tensor2D => normalTensor([POSITIONS, WIDTH], 41);
const table = (): tf.Tensor2D => normalTensor([ITEMS, WIDTH], 42, 0.5);

function sampled(name: string, loss: typeof binaryCrossEntropy): BackendCheck {
  return {
    name,
    tolerance: 1e-5,
    compute: () =>
      valueAndGradients(
        (states: tf.Tensor2D, embeddings: tf.Tensor2D) =>
          loss({
            hidden: states,
            table: embeddings,
            positives: items(POSITIONS, 1),
            negatives: items(4 * POSITIONS, 2),
          }),
        [hidden(), table()],
      ),
  };
}

/** Embeddings and the losses of Warren's recommenders, with their gradients. */
export const LOSS_CHECKS: readonly BackendCheck[] = [
  {
    name: 'embedding lookup',
    tolerance: 2e-6,
    compute: () =>
      valueAndGradients((embeddings: tf.Tensor2D) => embeddingLookup(embeddings, items(500, 3)), [table()]),
  },
  sampled('binary cross-entropy with sampled negatives', binaryCrossEntropy),
  sampled('Bayesian personalised ranking', bayesianPersonalisedRanking),
  {
    name: 'cross-entropy over all items',
    tolerance: 1e-5,
    compute: () =>
      valueAndGradients(
        (states: tf.Tensor2D, embeddings: tf.Tensor2D, bias: tf.Tensor1D) =>
          fullSoftmaxCrossEntropy({ hidden: states, table: embeddings, targets: items(POSITIONS, 4), bias }),
        [hidden(), table(), normalTensor<tf.Tensor1D>([ITEMS], 43)],
      ),
  },
];
