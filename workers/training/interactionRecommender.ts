import type { InteractionBatch, InteractionNetwork } from '../models/interactionNetwork.ts';
import { interactionScorer } from '../models/interactionScorer.ts';
import { interactionBatches } from './batches/interactionBatches.ts';
import type { NetworkContext, NetworkParameters, OpenNetwork } from './networkRecommender.ts';
import type { EmbeddingTable } from './trainRecommender.ts';

/** What networks of interactions have beside what all networks share. */
export interface InteractionParameters extends NetworkParameters {
  batchSize: number;
  negatives: number;
}

/**
 * A network that scores items for a user at a moment as a recommender. It leaves all tables of embeddings:
 * `user-embeddings.npy` and `item-embeddings.npy`, or with the name of their part in front.
 */
export function interactionRecommender(
  { parameters: { batchSize, negatives }, cancellation }: NetworkContext<InteractionParameters>,
  network: InteractionNetwork,
): OpenNetwork<InteractionBatch> {
  const { parameters, recent, targets } = network;
  const isOf = (name: string, side: 'users' | 'items'): boolean => name.split('/').at(-1) === side;
  const names = [...parameters.keys()];
  return {
    parameters,
    batches: (training) => interactionBatches(training, { recent, targets, batchSize, negatives }),
    loss: (batch, draw) => network.loss(batch, draw),
    scorer: interactionScorer(network, { pulse: () => cancellation.throwIfCancelled() }),
    smoothable: { names: names.filter((name) => isOf(name, 'items')), rows: 'items' },
    embeddings: async () => {
      const tables: EmbeddingTable[] = [];
      for (const name of names.filter((each) => isOf(each, 'users') || isOf(each, 'items'))) {
        const table = parameters.get(name)!;
        const values = Float32Array.from(await table.data<'float32'>());
        const file = `${name.replaceAll('/', '-').slice(0, -1)}-embeddings.npy`;
        tables.push({ file, values, columns: table.shape[1]! });
      }
      return tables;
    },
  };
}
