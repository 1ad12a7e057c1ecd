import { z } from 'zod';
import type { SequenceDataset } from '#workers/data/prepare/sequenceDataset.ts';
import { sparseFromTriplets } from '#workers/math/sparse/sparseFromTriplets.ts';
import type { SparseMatrix } from '#workers/math/sparse/sparseMatrix.ts';
import { oracleFile } from './oracleFile.ts';

const graph = z.object({
  edges: z.array(z.tuple([z.number(), z.number(), z.number()])),
  weighted_degree: z.array(z.number()),
});
const summary = z.object({
  n: z.number(),
  nnz: z.number(),
  undirected_edges: z.number(),
  neighbours_min: z.number(),
  neighbours_max: z.number(),
  neighbours_mean: z.number(),
  isolated: z.number(),
  connected_components_incl_isolated: z.number(),
  sum_W: z.number(),
  sum_W2: z.number(),
  weighted_degree_min: z.number(),
  weighted_degree_max: z.number(),
  checksum_ij: z.number(),
  checksum_i: z.number(),
});

/** `knn_graph.json`: graphs by similarity and then index, one small one whole, real ones as sums. */
export const knnGraphs = oracleFile(
  'knn_graph.json',
  z.object({
    small: z.object({
      users_items: z.array(z.array(z.number())),
      n_items: z.number(),
      K: z.number(),
      user: graph,
      item: graph,
    }),
    real: z.record(z.string(), z.object({ K: z.number(), summary })),
  }),
);

/** (sets, features) Each list is the members of a set. */
export function setsOfLists(lists: readonly (readonly number[])[], columnCount: number): SparseMatrix {
  const rows = lists.flatMap((list, row) => list.map(() => row));
  return sparseFromTriplets({ rowCount: lists.length, columnCount, rows, columns: lists.flat() });
}

/** (users, items) All interactions, numbered by id from 1: the reference's ties go to the lower id. */
export function setsById({ userCount, itemCount, offsets, items, userIds, itemIds }: SequenceDataset): SparseMatrix {
  const rows = new Uint32Array(items.length);
  const columns = new Uint32Array(items.length);
  for (let user = 0; user < userCount; user++) {
    for (let at = offsets[user]!; at < offsets[user + 1]!; at++) {
      rows[at] = Number(userIds[user]) - 1;
      columns[at] = Number(itemIds[items[at]!]) - 1;
    }
  }
  return sparseFromTriplets({ rowCount: userCount, columnCount: itemCount, rows, columns });
}
