import { kernelsAreBuilt } from '#workers/wasm/calls/kernelModule.ts';
import type { EmbeddingQueries, EmbeddingScores } from './embeddingQueries.ts';
import { embeddingRankingReference } from './embeddingRankingReference.ts';
import { parallelEmbeddingRanking } from './parallelEmbeddingRanking.ts';
import type { RankedUsers } from '../ranking/rankedUsers.ts';

/** Below this many products, starting threads takes longer than they save (30 ms against 1.5 ns each). */
const FEWEST_PRODUCTS = 20_000_000;

/** Rankings by dot product, in WebAssembly threads where they pay and are built, else by the TypeScript reference implementation: the same bits. */
export async function embeddingRanking(
  model: EmbeddingScores,
  queries: EmbeddingQueries,
  threads: number,
): Promise<RankedUsers> {
  const products = queries.users.length * model.items.length;
  if (!kernelsAreBuilt() || products < FEWEST_PRODUCTS) return embeddingRankingReference(model, queries);
  return parallelEmbeddingRanking(model, queries, Math.max(1, threads));
}
