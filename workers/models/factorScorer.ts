import { embeddingRanking } from '../evaluation/embeddings/embeddingRanking.ts';
import { embeddingRanks } from '../evaluation/embeddings/embeddingRanks.ts';
import { firstTargets } from '../evaluation/ranking/heldOut.ts';
import { emptyRankedUsers } from '../evaluation/ranking/rankedUsers.ts';
import { type Scorer, userScorer } from '../evaluation/ranking/scorer.ts';
import { type MfModel, mfScores } from './mfBpr.ts';

/** Ranks by products of rows of users and items. `pulse` is called now and then and may throw to stop. */
export function factorScorer(
  modelOf: () => MfModel | Promise<MfModel>,
  { threads, pulse }: { threads: number; pulse: () => void },
): Scorer {
  return {
    rank: async (part, request) => {
      const model = await modelOf();
      if (!part.isSingle) {
        const byUser = userScorer({
          score: ({ number }, scores) => mfScores(model, number, scores),
          floor: Number.NEGATIVE_INFINITY,
          pulse,
        });
        return byUser.rank(part, request);
      }
      const { users } = part;
      const queries = { users, targets: firstTargets(part), excluded: (query: number) => part.excluded(query) };
      const { listLength, cutoff: limit } = request;
      if (listLength > 0) return embeddingRanking(model, { ...queries, listLength, betweenQueries: pulse }, threads);
      return { ...emptyRankedUsers(users.length, 0), ranks: embeddingRanks(model, { ...queries, limit, pulse }) };
    },
  };
}
