import { badInput, WarrenError } from '#src/base/contracts/errors.ts';
import { type EigenpairRequest, type Eigenpairs, EigenpairsNotConverged } from '../math/dense/eigenpairs.ts';
import type { SparseMatrix } from '../math/sparse/sparseMatrix.ts';
import type { NumericThreads } from '../wasm/threads/numericThreads.ts';
import { sparseEigenpairs } from '../wasm/linearAlgebra/sparseEigenpairs.ts';
import { type LaplacianForm, normalisedAdjacency, unnormalisedLaplacian } from './laplacian.ts';

/**
 * Which eigenvectors of L become dimensions. `smallest`: those of the smallest eigenvalues, as LEPORID says and as the embeddings that
 * its authors ship have them. `largest-magnitude`: those of the largest |1 - λ|, what the authors' program asks ARPACK for: λ
 * near 2 compete with those near 0 (`symmetric` only).
 */
export type EigenvectorChoice = 'smallest' | 'largest-magnitude';

export interface SpectralRequest {
  /** Eigenvectors wanted, from 1 to the number of nodes. */
  dimensions: number;
  /** Weight of the regularisation towards d_max, 0 to 1 (LEPORID Eq. 6); 0 is Laplacian Eigenmaps. */
  alpha: number;
  laplacian: LaplacianForm;
  choice?: EigenvectorChoice;
  solver?: Pick<EigenpairRequest, 'tolerance' | 'seed' | 'maximumProducts' | 'onProgress' | 'signal'>;
}

/** Eigenvectors of a Laplacian, unit columns, none scaled; the component of largest magnitude is positive (the first of equals). */
export interface SpectralEmbedding {
  /** (n, dimensions) Row-major. */
  vectors: Float64Array;
  /** (dimensions) λ, ascending; for `largest-magnitude` by descending |1 - λ|. */
  eigenvalues: Float64Array;
  /** (dimensions) ‖L x - λ x‖ */
  residuals: Float64Array;
  dimensions: number;
  /** Products of the matrix with one vector. */
  products: number;
}

/** RUN_FAILED, with the dimensions that did converge. */
export class EmbeddingNotConverged extends WarrenError {
  readonly partial: SpectralEmbedding;

  constructor(message: string, partial: SpectralEmbedding) {
    super('RUN_FAILED', message);
    this.partial = partial;
  }
}

/**
 * Laplacian Eigenmaps (α = 0) and LEPORID (LEPORID Sections 3.1 and 3.2) of a symmetric graph: row i is the embedding of node i. The first
 * vector, near constant or, for α > 0, positive, is kept, as in paper and code. Throws BAD_INPUT for more dimensions than
 * nodes or α outside [0, 1], CANCELLED, and `EmbeddingNotConverged`.
 */
export async function spectralEmbedding(
  threads: NumericThreads,
  graph: SparseMatrix,
  request: SpectralRequest,
): Promise<SpectralEmbedding> {
  const { dimensions, alpha, laplacian, choice = 'smallest', solver = {} } = request;
  const nodes = graph.rowCount;
  if (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > nodes) {
    throw badInput(
      `${dimensions} dimensions for a graph of ${nodes} nodes; expected a whole number from 1 to ${nodes}`,
      'dimensions',
    );
  }
  if (laplacian === 'unnormalised') {
    if (choice !== 'smallest') {
      throw badInput(`eigenvectors of ${choice} of the unnormalised Laplacian; expected smallest`, 'choice');
    }
    const matrix = unnormalisedLaplacian(graph, alpha);
    return converged(sparseEigenpairs(threads, matrix, { ...solver, count: dimensions, end: 'smallest' }), (x) => x);
  }
  const matrix = normalisedAdjacency(graph, alpha);
  const ofLaplacian = (value: number) => 1 - value;
  const largest = await converged(
    sparseEigenpairs(threads, matrix, { ...solver, count: dimensions, end: 'largest' }),
    ofLaplacian,
  );
  if (choice === 'smallest') return largest;
  const other = await converged(
    sparseEigenpairs(threads, matrix, { ...solver, count: dimensions, end: 'smallest' }),
    ofLaplacian,
  );
  return largestMagnitude(largest, other);
}

async function converged(
  solving: Promise<Eigenpairs>,
  ofLaplacian: (value: number) => number,
): Promise<SpectralEmbedding> {
  const embedding = ({ values, vectors, residuals, products }: Eigenpairs): SpectralEmbedding => ({
    vectors,
    eigenvalues: values.map(ofLaplacian),
    residuals,
    dimensions: values.length,
    products,
  });
  try {
    return embedding(await solving);
  } catch (error) {
    if (error instanceof EigenpairsNotConverged) {
      throw new EmbeddingNotConverged(error.message, embedding(error.partial));
    }
    throw error;
  }
}

/** The columns of both ends by descending |1 - λ|, as many as each has. Where the ends overlap, a pair counts once. */
function largestMagnitude(low: SpectralEmbedding, high: SpectralEmbedding): SpectralEmbedding {
  const { dimensions } = low;
  const nodes = low.vectors.length / dimensions;
  const fromHigh = Math.min(dimensions, nodes - dimensions);
  const columns = [
    ...Array.from(low.eigenvalues, (value, column) => ({ from: low, column, value })),
    ...Array.from(high.eigenvalues.subarray(0, fromHigh), (value, column) => ({ from: high, column, value })),
  ];
  columns.sort((a, b) => Math.abs(1 - b.value) - Math.abs(1 - a.value) || a.value - b.value);
  const chosen = columns.slice(0, dimensions);
  const vectors = new Float64Array(nodes * dimensions);
  for (const [to, { from, column }] of chosen.entries()) {
    for (let row = 0; row < nodes; row++) vectors[row * dimensions + to] = from.vectors[row * dimensions + column]!;
  }
  return {
    vectors,
    eigenvalues: Float64Array.from(chosen, ({ value }) => value),
    residuals: Float64Array.from(chosen, ({ from, column }) => from.residuals[column]!),
    dimensions,
    products: low.products + high.products,
  };
}
