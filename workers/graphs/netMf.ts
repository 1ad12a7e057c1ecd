import { badInput, WarrenError } from '#src/base/contracts/errors.ts';
import type { EigenpairRequest } from '../math/dense/eigenpairs.ts';
import type { SparseMatrix } from '../math/sparse/sparseMatrix.ts';
import { sparseRowSums } from '../math/sparse/symmetricNormalisation.ts';
import type { NumericThreads } from '../wasm/threads/numericThreads.ts';
import { sparseEigenpairs } from '../wasm/linearAlgebra/sparseEigenpairs.ts';
import { SparseOperand } from '../wasm/linearAlgebra/sparseOperand.ts';
import { truncatedSvd } from '../wasm/linearAlgebra/truncatedSvd.ts';
import { normalisedAdjacency } from './laplacian.ts';

export interface NetMfRequest {
  dimensions: number;
  /** T, steps of a random walk within which nodes are neighbours. */
  window: number;
  /** h, eigenpairs by which the walks are approximated; at most the number of nodes. */
  rank: number;
  /** b */
  negatives: number;
  solver?: Pick<EigenpairRequest, 'tolerance' | 'maximumProducts' | 'signal'>;
  /** Called some times a second with the part that is done; may throw. */
  pulse?: (fraction: number) => void;
}

/** Doubles of the product that is at hand at a time. */
const PRODUCT_NUMBERS = 4e6;
/** Entries that fit twice, 12 bytes each, into the memory of the compiled kernels beside what the decomposition takes. */
const MOST_ENTRIES = 140e6;

/**
 * NetMF for a large window (Qiu et al., "Network embedding as matrix factorization", WSDM 2018, Algorithm 4): of the h largest
 * eigenpairs of D^-1/2 W D^-1/2 = U Λ U', log max(1, vol(W)/b D^-1/2 U (1/T Σ_r Λ^r) U' D^-1/2), r from 1 to T, and of
 * this its truncated singular value decomposition, (n, dimensions) row-major U_d √Σ_d. Only entries above 0 are kept, 12 bytes each, twice.
 * Throws BAD_INPUT for more dimensions than nodes or a graph without edges, OUT_OF_MEMORY.
 */
export async function netMf(
  threads: NumericThreads,
  graph: SparseMatrix,
  request: NetMfRequest,
): Promise<Float64Array> {
  const { dimensions, window, negatives, solver = {} } = request;
  const { rowCount: nodes } = graph;
  if (dimensions > nodes) {
    throw badInput(
      `${dimensions} dimensions for a graph of ${nodes} nodes; expected a whole number from 1 to ${nodes}`,
      'dimensions',
    );
  }
  const degrees = sparseRowSums(graph);
  const volume = degrees.reduce((sum, degree) => sum + degree, 0);
  if (volume === 0) throw badInput('a graph without edges; expected some', 'graph');
  const rank = Math.min(request.rank, nodes);
  const pairs = await sparseEigenpairs(threads, normalisedAdjacency(graph, 0), {
    ...solver,
    count: rank,
    end: 'largest',
  });
  const powers = pairs.values.map((value) => {
    let sum = 0;
    for (let step = window; step > 0; step--) sum = value * (1 + sum);
    return sum / window;
  });
  // D^-1/2 U
  const walks = pairs.vectors.map((value, at) => {
    const degree = degrees[Math.floor(at / rank)]!;
    return degree > 0 ? value / Math.sqrt(degree) : 0;
  });
  const logarithms = positiveLogarithms(threads, { walks, powers, scale: volume / negatives, pulse: request.pulse });
  const { left, values } = await truncatedSvd(threads, logarithms, { ...solver, rank: dimensions });
  return left.map((value, at) => value * Math.sqrt(values[at % dimensions]!));
}

/** log max(1, scale X diag(powers) X'), without its zeros, for X (n, h): a block of rows at a time on all lanes. */
function positiveLogarithms(
  threads: NumericThreads,
  given: {
    walks: Float64Array;
    powers: Float64Array;
    scale: number;
    pulse: ((fraction: number) => void) | undefined;
  },
): SparseMatrix {
  const { walks, powers, scale, pulse } = given;
  const rank = powers.length;
  const nodes = walks.length / rank;
  const width = Math.max(1, Math.min(nodes, Math.floor(PRODUCT_NUMBERS / nodes)));
  const offsets = new Uint32Array(nodes + 1);
  const parts: { columns: Uint32Array; values: Float64Array }[] = [];
  const scope = threads.scope();
  try {
    const dense = new SparseOperand(scope, {
      rowCount: nodes,
      columnCount: rank,
      offsets: Uint32Array.from({ length: nodes + 1 }, (_, row) => row * rank),
      columns: Uint32Array.from({ length: nodes * rank }, (_, at) => at % rank),
      values: walks,
    });
    const [factor, product] = [scope.reserve(8 * rank * width), scope.reserve(8 * nodes * width)];
    for (let first = 0; first < nodes; first += width) {
      pulse?.(first / nodes);
      const count = Math.min(width, nodes - first);
      const block = scope.doubles(factor, rank * count); // (h, count), the block's rows transposed
      for (let h = 0; h < rank; h++) {
        for (let i = 0; i < count; i++) block[h * count + i] = scale * powers[h]! * walks[(first + i) * rank + h]!;
      }
      dense.multiply(factor, product, count); // (n, count)
      parts.push(aboveOne(scope.doubles(product, nodes * count), { nodes, first, offsets }));
      if (offsets[first + count]! > MOST_ENTRIES) {
        throw new WarrenError(
          'OUT_OF_MEMORY',
          `netmf of ${nodes} nodes keeps more than ${MOST_ENTRIES / 1e6} million entries after ${first + count} of them; more negatives or a shorter window keep fewer`,
        );
      }
    }
  } finally {
    scope.release();
  }
  const [columns, values] = [new Uint32Array(offsets[nodes]!), new Float64Array(offsets[nodes]!)];
  let place = 0;
  for (const part of parts) {
    columns.set(part.columns, place);
    values.set(part.values, place);
    place += part.columns.length;
  }
  return { rowCount: nodes, columnCount: nodes, offsets, columns, values };
}

/** The logarithms of what is above 1 in some columns (n, count) of a symmetric matrix, as rows; continues `offsets`. */
function aboveOne(
  product: Float64Array,
  { nodes, first, offsets }: { nodes: number; first: number; offsets: Uint32Array },
): { columns: Uint32Array; values: Float64Array } {
  const count = product.length / nodes;
  for (let i = 0; i < count; i++) {
    let kept = 0;
    for (let node = 0; node < nodes; node++) kept += product[node * count + i]! > 1 ? 1 : 0;
    offsets[first + i + 1] = offsets[first + i]! + kept;
  }
  const size = offsets[first + count]! - offsets[first]!;
  const [columns, values] = [new Uint32Array(size), new Float64Array(size)];
  let place = 0;
  for (let i = 0; i < count; i++) {
    for (let node = 0; node < nodes; node++) {
      const value = product[node * count + i]!;
      if (!(value > 1)) continue;
      columns[place] = node;
      values[place++] = Math.log(value);
    }
  }
  return { columns, values };
}
