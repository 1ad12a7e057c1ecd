import { embeddingRanking } from '../evaluation/embeddings/embeddingRanking.ts';
import { firstTargets } from '../evaluation/ranking/heldOut.ts';
import type { Scorer } from '../evaluation/ranking/scorer.ts';
import { tf } from '../tensor/tf.ts';
import { type RankingNetwork, rankingOf, represent, type SequenceNetwork } from './sequenceNetwork.ts';

/**
 * Ranks by the products of the rows of all items with what a network makes of each history. `pulse` is called now and then and
 * may throw to stop.
 */
export function sequenceScorer(
  network: SequenceNetwork | RankingNetwork,
  { threads, pulse }: { threads: number; pulse: () => void },
): Scorer {
  return {
    rank: async (part, { listLength }) => {
      const histories = Array.from(part.users, (_, index) => part.history(index));
      const users = await represent(network, histories, pulse); // (queries, D)
      const table = tf.tidy(() => rankingOf(network).itemRows()); // (items, D)
      const items = Float32Array.from(await table.data<'float32'>());
      const model = { users, items, dimension: table.shape[1] };
      table.dispose();
      const queries = {
        users: Uint32Array.from(histories.keys()),
        targets: firstTargets(part),
        excluded: (query: number) => part.excluded(query),
        listLength: Math.max(1, listLength),
        betweenQueries: pulse,
      };
      return embeddingRanking(model, queries, threads);
    },
  };
}
