import type { SequenceLoss, StepDraw } from '../models/sequenceNetwork.ts';
import { type RankingNetwork, rankingOf, type SequenceNetwork, sequenceLoss } from '../models/sequenceNetwork.ts';
import { sequenceScorer } from '../models/sequenceScorer.ts';
import type { tf } from '../tensor/tf.ts';
import type { TrainingPart } from '../data/split/trainingPart.ts';
import type { NetworkContext, NetworkParameters, OpenNetwork } from './networkRecommender.ts';
import { sequenceBatches } from './batches/sequenceBatches.ts';
import type { BatchSource } from './trainableNetwork.ts';

/** What networks that predict the next item have beside what all networks share. */
export interface SequenceParameters extends NetworkParameters {
  batchSize: number;
  negatives: number;
  loss: SequenceLoss;
}

/** Of which batches and by which loss a network of sequences learns. */
export interface SequenceLearning<Batch> {
  batches(training: TrainingPart): BatchSource<Batch>;
  /** Before each step's loss, what must be read from the backend for it. */
  prepare?(batch: Batch, draw: StepDraw): Promise<void>;
  loss(batch: Batch, draw: StepDraw): tf.Scalar;
  /** Lets go of what is no parameter. */
  dispose?(): void;
}

/** A network that ranks items for histories as a recommender; it leaves its items. */
export function sequenceRecommender<Batch>(
  { compute: { threads }, cancellation }: NetworkContext,
  network: SequenceNetwork | RankingNetwork,
  learning: SequenceLearning<Batch>,
): OpenNetwork<Batch> {
  const { parameters, items } = network;
  return {
    parameters,
    batches: (training) => learning.batches(training),
    prepare: async (batch, draw) => learning.prepare?.(batch, draw),
    loss: (batch, draw) => learning.loss(batch, draw),
    dispose: () => learning.dispose?.(),
    scorer: sequenceScorer(network, { threads, pulse: () => cancellation.throwIfCancelled() }),
    smoothable: { names: rankingOf(network).embeddings, rows: 'items' },
    embeddings: async () => {
      const values = Float32Array.from(await items.data<'float32'>());
      return [{ file: 'item-embeddings.npy', values, columns: items.shape[1] }];
    },
  };
}

/** A network that predicts the next item as a recommender, trained by the loss that the parameters name. */
export function nextItemRecommender(
  context: NetworkContext<SequenceParameters>,
  network: SequenceNetwork,
  samples: 'positions' | 'prefixes',
) {
  const { batchSize, loss, negatives } = context.parameters;
  const { maximumLength } = network;
  const drawn = loss === 'softmax' ? 0 : negatives;
  return sequenceRecommender(context, network, {
    batches: (training) => sequenceBatches(training, { batchSize, maximumLength, samples, negatives: drawn }),
    loss: (batch, draw) => sequenceLoss(network, batch, { loss, draw }),
  });
}
