import { truncatedSvd } from '#workers/wasm/linearAlgebra/truncatedSvd.ts';
import { NumericThreads } from '#workers/wasm/threads/numericThreads.ts';
import { solverOf, type StartMethod, trainingMatrix } from './startRequest.ts';

/** U √Σ and V √Σ of the largest singular values of the user-item matrix T = U Σ V' (LEPORID, Section 5.2). */
export const svdEmbeddings: StartMethod = async (context, { part, dimension, settings }) => {
  const threads = await NumericThreads.open(context.compute.threads);
  try {
    const request = { ...solverOf(context, settings), rank: dimension };
    const { left, right, values } = await truncatedSvd(threads, trainingMatrix(part), request);
    const scaled = (vectors: Float64Array) => vectors.map((value, at) => value * Math.sqrt(values[at % dimension]!));
    return { users: { vectors: scaled(left) }, items: { vectors: scaled(right) } };
  } finally {
    await threads.close();
  }
};
