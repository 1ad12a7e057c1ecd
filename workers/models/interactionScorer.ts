import { PartRanking } from '../evaluation/ranking/partRanking.ts';
import type { Scorer } from '../evaluation/ranking/scorer.ts';
import type { InteractionNetwork } from './interactionNetwork.ts';
import { lastItems } from './lastItems.ts';

/**
 * Ranks by the scores of a network for users at the moment after their history; nothing as large as users × items is ever made.
 * `pulse` is called now and then and may throw to stop.
 */
export function interactionScorer(network: InteractionNetwork, { pulse }: { pulse: () => void }): Scorer {
  const { recent, momentsAtOnce } = network;
  return {
    rank: async (part, { listLength }) => {
      const { itemCount } = part.split.dataset;
      const ranking = new PartRanking(part, { listLength, itemCount, floor: Number.NEGATIVE_INFINITY });
      for (let from = 0; from < part.users.length; from += momentsAtOnce) {
        pulse();
        const users = Int32Array.from(part.users.subarray(from, from + momentsAtOnce));
        const known = new Int32Array(users.length * recent);
        for (const row of users.keys()) {
          const history = part.history(from + row);
          lastItems(history, history.length, known.subarray(row * recent, (row + 1) * recent));
        }
        const found = network.scores({ users, recent: known });
        const scores = await found.data<'float32'>();
        found.dispose();
        for (const row of users.keys())
          ranking.take(from + row, scores.subarray(row * itemCount, (row + 1) * itemCount));
      }
      return ranking.ranked;
    },
  };
}
