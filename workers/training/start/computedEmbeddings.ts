import type { ComputedMethod } from '#src/catalog/parameters/embeddingParameters.ts';
import { invariant } from '#src/base/lib/invariant.ts';
import { zScoreColumns } from '#workers/graphs/zScoreColumns.ts';
import { bprEmbeddings } from './bprEmbeddings.ts';
import { graphBertEmbeddings } from './graphBertEmbeddings.ts';
import { laplacianEigenmaps, leporidEmbeddings, netMfEmbeddings } from './neighbourEmbeddings.ts';
import { node2VecEmbeddings } from './node2VecEmbeddings.ts';
import type { ComputedRequest, ComputedVectors, Side, StartContext, StartMethod } from './startRequest.ts';
import { svdEmbeddings } from './svdEmbeddings.ts';

/** LEPORID, Section 5.2 and Appendix F: all starts but random ones, which are drawn. */
const METHODS: Readonly<Record<ComputedMethod, StartMethod>> = {
  svd: svdEmbeddings,
  bpr: bprEmbeddings,
  netmf: netMfEmbeddings,
  node2vec: node2VecEmbeddings,
  'graph-bert': graphBertEmbeddings,
  le: laplacianEigenmaps,
  leporid: leporidEmbeddings,
};

/** Embeddings of users or items, and what they were made of. */
export interface SideEmbedding extends ComputedVectors {
  rows: number;
  dimension: number;
}

/**
 * Embeddings of users and items from training interactions, each met once or not. Those of `svd` and `bpr` share a space: the score
 * of an item is its product with the user; those of graphs do not. Equal arguments and thread counts give equal bits. Throws
 * BAD_INPUT for settings that do not fit the data, CANCELLED, and `SideFailure` around an eigensolver that does not converge.
 */
export async function computedEmbeddings(
  context: StartContext,
  request: ComputedRequest,
): Promise<Map<Side, SideEmbedding>> {
  const { method, part, dimension, settings, sides } = request;
  const { userCount, itemCount } = part.dataset;
  const rows = { users: userCount, items: itemCount };
  const found = await METHODS[method](context, request);
  return new Map(
    sides.map((side) => {
      const own = found[side];
      invariant(own !== undefined, `${method} made no embeddings of ${side}`);
      const vectors = settings.columns === 'z-score' ? zScoreColumns(own.vectors, dimension) : own.vectors;
      return [side, { ...own, vectors, rows: rows[side], dimension }];
    }),
  );
}
