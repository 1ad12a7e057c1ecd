import type { RandomGenerator } from '../math/random/randomGenerator.ts';
import type { StepDraw } from '../models/sequenceNetwork.ts';
import type { tf } from '../tensor/tf.ts';

/** What `networkLearner` needs of a network. */
export interface TrainableNetwork<Batch> {
  /** All that is trained, by name. */
  readonly parameters: ReadonlyMap<string, tf.Variable>;
  /** Before each step's loss, what must be read from the backend for it. */
  prepare?(batch: Batch, draw: StepDraw): Promise<void>;
  /** Mean loss over the logical batch: a scalar, differentiable in the parameters. */
  loss(batch: Batch, draw: StepDraw): tf.Scalar;
}

/** The batches of a network's training data. */
export interface BatchSource<Batch> {
  readonly batchesPerEpoch: number;
  /** One epoch, in a new order; all that is random comes from the two streams, so that their states continue it. */
  epoch(streams: RandomStreams): Iterable<Batch>;
  /** What a batch weighs in the mean loss of an epoch (its positions), and its tokens, for the throughput. */
  sizeOf(batch: Batch): { positions: number; tokens: number };
}

/** Random numbers of training, split by purpose. Their states are part of a checkpoint. */
export interface RandomStreams {
  readonly order: RandomGenerator;
  readonly negatives: RandomGenerator;
}
