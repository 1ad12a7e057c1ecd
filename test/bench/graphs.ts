import { nearestNeighbourGraph } from '#workers/graphs/nearestNeighbourGraph.ts';
import { sparseFromTriplets } from '#workers/math/sparse/sparseFromTriplets.ts';
import type { SparseMatrix } from '#workers/math/sparse/sparseMatrix.ts';
import { symmetricNormalisation } from '#workers/math/sparse/symmetricNormalisation.ts';
import { transposeSparse } from '#workers/math/sparse/transposeSparse.ts';
import type { NumericThreads } from '#workers/wasm/threads/numericThreads.ts';
import { realDataset } from '../oracles/realDataset.ts';

const NEIGHBOURS = 200;

/** Normalised adjacencies of Jaccard kNN graphs (K = 200, union) of ml-100k users, Beauty items and Beauty users. */
export async function benchGraphs(threads: NumericThreads): Promise<Record<string, SparseMatrix>> {
  const users = async (name: string): Promise<SparseMatrix> => {
    const dataset = await realDataset({ name });
    if (dataset === null) throw new Error(`the benchmark needs ${name} in a folder of WARREN_DATA`);
    const rows = new Uint32Array(dataset.items.length);
    for (let user = 0; user < dataset.userCount; user++)
      rows.fill(user, dataset.offsets[user]!, dataset.offsets[user + 1]!);
    const { userCount: rowCount, itemCount: columnCount, items: columns } = dataset;
    return sparseFromTriplets({ rowCount, columnCount, rows, columns });
  };
  const normalised = (sets: SparseMatrix) => {
    return symmetricNormalisation(nearestNeighbourGraph(threads, sets, { neighbours: NEIGHBOURS }));
  };
  const beauty = await users('amazon-beauty');
  return {
    'ml-100k users': normalised(await users('ml-100k')),
    'beauty items': normalised(transposeSparse(beauty)),
    'beauty users': normalised(beauty),
  };
}
