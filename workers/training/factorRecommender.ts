import type { TripleBatch } from '../models/factorNetwork.ts';
import { factorScorer } from '../models/factorScorer.ts';
import type { MfModel } from '../models/mfBpr.ts';
import type { StepDraw } from '../models/sequenceNetwork.ts';
import type { tf } from '../tensor/tf.ts';
import type { OpenNetwork } from './networkRecommender.ts';
import type { TrainingContext } from './trainingContext.ts';
import type { EmbeddingTable } from './trainRecommender.ts';
import { tripleBatches, type TripleBatchOptions } from './batches/tripleBatches.ts';

/** A network whose scores are products of rows of users and items. */
export interface FactorTraining {
  /** `users` and `items`, or `nodes`. */
  parameters: ReadonlyMap<string, tf.Variable>;
  /** Mean loss over the triples of the batch: a scalar, differentiable in the parameters. */
  loss(batch: TripleBatch, draw: StepDraw): tf.Scalar;
  /** The rows, copied out. */
  model(): Promise<MfModel>;
  batches: TripleBatchOptions;
}

/** Such a network as a recommender; it leaves its rows. */
export function factorRecommender(
  { compute: { threads }, cancellation }: Pick<TrainingContext, 'compute' | 'cancellation'>,
  { parameters, loss, model, batches }: FactorTraining,
): OpenNetwork<TripleBatch> {
  return {
    parameters,
    batches: (training) => tripleBatches(training, batches),
    loss,
    scorer: factorScorer(model, { threads, pulse: () => cancellation.throwIfCancelled() }),
    smoothable: parameters.has('nodes') ? { names: ['nodes'], rows: 'nodes' } : { names: ['items'], rows: 'items' },
    embeddings: async () => factorTables(await model()),
  };
}

/** Rows of items and users as tables to be left. */
export function factorTables({ dimension, items, users }: MfModel): EmbeddingTable[] {
  return [
    { file: 'item-embeddings.npy', values: items, columns: dimension },
    { file: 'user-embeddings.npy', values: users, columns: dimension },
  ];
}
