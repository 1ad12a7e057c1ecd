import { badInput } from '#src/base/contracts/errors.ts';
import type { SparseMatrix } from '../math/sparse/sparseMatrix.ts';
import { transposeSparse } from '../math/sparse/transposeSparse.ts';
import { COSINE, JACCARD, SCRATCH_BYTES, SCRATCH_BYTES_PER_NODE } from '../wasm/fields/neighbourFields.ts';
import type { NumericScope, NumericThreads } from '../wasm/threads/numericThreads.ts';
import type { FeatureSets } from './featureSets.ts';
import { type SetSimilarity, setWeights } from './setSimilarity.ts';

export interface NeighbourGraphRequest {
  /** K, from 1 to one less than there are nodes. */
  neighbours: number;
  similarity?: SetSimilarity;
  /** Called some times a second with the part that is done; may throw. */
  pulse?: (fraction: number) => void;
}

/** Co-occurrences counted between two calls of `pulse`. */
const WORK_BETWEEN_PULSES = 30e6;

/**
 * The K-nearest-neighbour graph of sets by Jaccard similarity |A ∩ B| / |A ∪ B| (LEPORID Eq. 9) or another, exact: each
 * node's neighbours are the `neighbours` most similar others, ties to the lower index, none with similarity 0; an edge
 * stands where either end has the other (union symmetrisation), its weight the similarity. Co-occurrences are counted a node
 * at a time on all lanes: no n × n matrix. Equal arguments give equal bits, whatever the lanes. Throws BAD_INPUT for
 * `neighbours` out of range, OUT_OF_MEMORY where 36 bytes for each of n K neighbours are too many for 4 GiB. Reference implementation:
 * `nearestNeighbourGraphReference.ts`.
 */
export function nearestNeighbourGraph(
  threads: NumericThreads,
  sets: FeatureSets,
  request: NeighbourGraphRequest,
): SparseMatrix {
  const { rowCount: nodes } = sets;
  const { neighbours } = request;
  if (!Number.isInteger(neighbours) || neighbours < 1 || neighbours >= nodes) {
    throw badInput(
      `${neighbours} neighbours of ${nodes} nodes; expected a whole number from 1 to ${nodes - 1}, as a node is not its own neighbour`,
      'neighbours',
    );
  }
  const scope = threads.scope();
  try {
    return undirected(scope, directedNeighbours(scope, sets, request), nodes);
  } finally {
    scope.release();
  }
}

/** Rows of `neighbours` slots in the heap, the first `counts[row]` of each taken. */
interface DirectedGraph {
  neighbours: number;
  counts: number;
  columns: number;
  values: number;
}

function directedNeighbours(scope: NumericScope, sets: FeatureSets, request: NeighbourGraphRequest): DirectedGraph {
  const { rowCount: nodes, offsets, columns } = sets;
  const { neighbours, similarity = 'jaccard', pulse } = request;
  const holders = transposeSparse({ ...sets, values: new Float64Array(columns.length) });
  const { weights, sizes } = setWeights(sets, similarity);
  const { lanes } = scope.threads.kernels;
  const laneBytes = 64 * Math.ceil((SCRATCH_BYTES + SCRATCH_BYTES_PER_NODE * nodes) / 64);
  const scratch = scope.reserve(laneBytes * lanes);
  scope.words(scratch, (laneBytes * lanes) / 4).fill(0);
  const counter = scope.reserve(64);
  const directed = {
    neighbours,
    counts: scope.reserve(4 * nodes),
    columns: scope.reserve(4 * nodes * neighbours),
    values: scope.reserve(8 * nodes * neighbours),
  };
  const fixed = {
    counter,
    nodes,
    offsets: scope.place(offsets),
    features: scope.place(columns),
    holderOffsets: scope.place(holders.offsets),
    holders: scope.place(holders.columns),
    weights: weights === null ? 0 : scope.place(weights),
    sizes: scope.place(sizes),
    neighbours,
    rule: similarity === 'jaccard' ? JACCARD : COSINE,
    scratch,
    laneBytes,
    outCounts: directed.counts,
    outColumns: directed.columns,
    outValues: directed.values,
  };
  for (let first = 0; first < nodes; ) {
    pulse?.(first / nodes);
    let work = 0;
    let last = first;
    for (; last < nodes && (last === first || work < WORK_BETWEEN_PULSES); last++) {
      for (let at = offsets[last]!; at < offsets[last + 1]!; at++) {
        work += holders.offsets[columns[at]! + 1]! - holders.offsets[columns[at]!]!;
      }
    }
    scope.words(counter, 1)[0] = 0;
    scope.threads.kernels.run('nearestNeighbours', { ...fixed, first, last });
    first = last;
  }
  return directed;
}

function undirected(scope: NumericScope, directed: DirectedGraph, nodes: number): SparseMatrix {
  const { kernels } = scope.threads;
  const { neighbours, counts, columns, values } = directed;
  const cursors = scope.reserve(4 * nodes);
  const view = scope.words(cursors, nodes).fill(0);
  kernels.run('countReverse', nodes, neighbours, counts, columns, cursors);
  let entries = 0;
  for (let node = 0; node < nodes; node++) {
    const degree = view[node]!;
    view[node] = entries;
    entries += degree;
  }
  const [reverseRows, reverseValues] = [scope.reserve(4 * entries), scope.reserve(8 * entries)];
  const graph = { nodes, neighbours, counts, columns, values };
  kernels.run('fillReverse', { ...graph, cursors, outRows: reverseRows, outValues: reverseValues });
  const offsets = scope.reserve(4 * (nodes + 1));
  const reverse = { reverseEnds: cursors, reverseRows, reverseValues };
  const merge = (out: { outColumns: number; outValues: number }) =>
    kernels.run('mergeReverse', { ...graph, ...reverse, outOffsets: offsets, ...out });
  merge({ outColumns: 0, outValues: 0 });
  const outOffsets = new Uint32Array(scope.words(offsets, nodes + 1));
  outOffsets[0] = 0;
  for (let row = 0; row < nodes; row++) outOffsets[row + 1]! += outOffsets[row]!;
  scope.words(offsets, nodes + 1).set(outOffsets);
  const total = outOffsets[nodes]!;
  const [outColumns, outValues] = [scope.reserve(4 * total), scope.reserve(8 * total)];
  merge({ outColumns, outValues });
  return {
    rowCount: nodes,
    columnCount: nodes,
    offsets: outOffsets,
    columns: new Uint32Array(scope.words(outColumns, total)),
    values: new Float64Array(scope.doubles(outValues, total)),
  };
}
