import type { tf } from '../tensor/tf.ts';
import type { StepDraw } from './sequenceNetwork.ts';

/** Users at some moment, and the last items that they met before it. */
export interface Moments {
  /** (moments) */
  readonly users: Int32Array;
  /** (moments × recent) The last items before the moment, oldest first; -1 in front where there are fewer. */
  readonly recent: Int32Array;
}

/** One logical batch: what came after each moment, and what did not. */
export interface InteractionBatch extends Moments {
  /** (moments × targets) The next items. */
  readonly positives: Int32Array;
  /** (moments × targets × k) Sampled items that the user does not train on, k for each target. */
  readonly negatives: Int32Array;
}

/** A network that scores items for a user at a moment. */
export interface InteractionNetwork {
  /** All parameters, by name; those of embeddings end in `users` or `items`. Whoever made the network disposes them. */
  readonly parameters: ReadonlyMap<string, tf.Variable>;
  /** Items that it looks back at, l; 0 for none. */
  readonly recent: number;
  /** Next items that a moment is trained with, at least 1. */
  readonly targets: number;
  /** Moments whose scores fit into some tens of megabytes. */
  readonly momentsAtOnce: number;
  /** Mean loss over the batch: a scalar, differentiable in the parameters; without a draw nothing is dropped. */
  loss(batch: InteractionBatch, draw: StepDraw | null): tf.Scalar;
  /** [moments, items] Greater is better. */
  scores(moments: Moments): tf.Tensor2D;
}
