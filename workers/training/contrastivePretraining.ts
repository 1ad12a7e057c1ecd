import { randomGenerator } from '../math/random/randomGenerator.ts';
import { initialUniform } from '../models/initialValues.ts';
import { embeddingLookup } from '../tensor/operations/embeddingLookup.ts';
import { tf } from '../tensor/tf.ts';
import {
  type ContrastiveBatch,
  type ContrastiveCorpus,
  type ContrastiveOptions,
  contrastivePairs,
} from './batches/contrastivePairs.ts';
import { LossWatch } from './lossWatch.ts';
import { networkLearner } from './networkLearner.ts';
import { train } from './trainLoop.ts';

export interface ContrastivePretraining extends ContrastiveOptions {
  dimension: number;
  epochs: number;
  learningRate: number;
  /** λ, added to the gradient. */
  weightDecay: number;
  /** Ends after so many epochs in a row that lowered the loss by less than `minimumImprovement`; 0 never. */
  patience: number;
  minimumImprovement: number;
  seed: number;
  /** After each epoch, from 1, with the input vectors (words, dimension) as they are then. */
  onEpoch: (report: { epoch: number; loss: number; seconds: number; vectors: Float32Array }) => void;
  onProgress: (fraction: number, message: string) => void;
  /** Epochs between checkpoints; 0 for none. */
  checkpointEvery: number;
  onCheckpoint: (epoch: number, bytes: Uint8Array) => void;
  /** The last checkpoint of a training that was interrupted, and the losses of its epochs; null for none. */
  interrupted: { bytes: Uint8Array; losses: readonly number[] } | null;
  /** Before the first epoch, with those losses; with none where there was no such training, or another one. */
  onStart: (losses: readonly number[]) => void;
  throwIfCancelled: () => void;
}

/** Entries start uniform within this of 0, as Keras' embeddings do. */
const INITIAL_BOUND = 0.05;

/**
 * Item2vec as a contrastive network, trained with Adam and early stopping on the backend in use (Featurizing Pretrained
 * Representations, Appendix F): the loss of a pair is -log σ(x·o) - Σ log σ(-x·o_n). Returns the input vectors (words, d).
 */
export async function contrastivePretraining(
  corpus: ContrastiveCorpus,
  options: ContrastivePretraining,
): Promise<Float32Array> {
  const { dimension, seed, patience } = options;
  const table = (name: string): tf.Variable<tf.Rank.R2> =>
    initialUniform<tf.Rank.R2>([corpus.words, dimension], INITIAL_BOUND, randomGenerator(seed, `contrastive ${name}`));
  const parameters = new Map([
    ['inputs', table('inputs')],
    ['outputs', table('outputs')],
  ]);
  const inputs = parameters.get('inputs')!;
  const { epochs, checkpointEvery, interrupted } = options;
  const watch = new LossWatch(options.minimumImprovement, options.onProgress, options.onCheckpoint);
  const learner = networkLearner({
    network: { parameters, loss: (batch: ContrastiveBatch) => contrastiveLoss(parameters, batch, options.negatives) },
    optimizer: {
      name: 'adam',
      learningRate: options.learningRate,
      weightDecay: options.weightDecay,
      beta1: 0.9,
      beta2: 0.999,
      epsilon: 1e-7,
    },
    batches: contrastivePairs(corpus, options),
    seed,
    patience,
    epochs,
    keepsBest: false,
    observer: watch,
    throwIfCancelled: options.throwIfCancelled,
    dispose: () => {
      for (const parameter of parameters.values()) parameter.dispose();
    },
  });
  const begin = (losses: readonly number[]): void => {
    for (const [index, loss] of losses.entries()) watch.metric('train/loss', index + 1, loss);
    options.onStart(losses);
  };
  if (interrupted === null) begin([]);
  return train(learner, {
    epochs,
    evaluateEvery: 1,
    checkpointEvery,
    observer: watch,
    checkpoint: interrupted?.bytes ?? null,
    onRestore: (isRestored) => begin(isRestored && interrupted !== null ? interrupted.losses : []),
    validate: async () => {
      const vectors = Float32Array.from(await inputs.data<'float32'>());
      options.onEpoch({ epoch: watch.epoch, loss: watch.loss, seconds: watch.seconds, vectors });
      return { metrics: {}, score: watch.improvements };
    },
    test: async () => Float32Array.from(await inputs.data<'float32'>()),
  });
}

/** Mean over the pairs. */
function contrastiveLoss(
  parameters: ReadonlyMap<string, tf.Variable<tf.Rank.R2>>,
  { sources, targets, negatives }: ContrastiveBatch,
  each: number,
): tf.Scalar {
  const [inputs, outputs] = [parameters.get('inputs')!, parameters.get('outputs')!];
  const pairs = sources.length;
  const source = embeddingLookup(inputs, sources); // (pairs, d)
  const positive = tf.sum(tf.mul(source, embeddingLookup(outputs, targets)), 1);
  const width = inputs.shape[1];
  const drawn = tf.reshape(embeddingLookup(outputs, negatives), [pairs, each, width]);
  const negative = tf.sum(tf.mul(tf.expandDims(source, 1), drawn), 2); // (pairs, each)
  const sum = tf.add(tf.sum(tf.softplus(tf.neg(positive))), tf.sum(tf.softplus(negative)));
  return tf.div(sum, pairs) as tf.Scalar;
}
