import { badInput, WarrenError } from '#src/base/contracts/errors.ts';
import { type GraphReport, graphReport } from '#workers/graphs/graphReport.ts';
import { nearestNeighbourGraph } from '#workers/graphs/nearestNeighbourGraph.ts';
import { netMf } from '#workers/graphs/netMf.ts';
import { spectralEmbedding } from '#workers/graphs/spectralEmbedding.ts';
import type { SparseMatrix } from '#workers/math/sparse/sparseMatrix.ts';
import { transposeSparse } from '#workers/math/sparse/transposeSparse.ts';
import { NumericThreads } from '#workers/wasm/threads/numericThreads.ts';
import {
  type ComputedRequest,
  type ComputedVectors,
  type NeighbourGraph,
  type Side,
  solverOf,
  type StartContext,
  type StartMethod,
  trainingMatrix,
} from './startRequest.ts';

/** A failure of one side: which, and the error, with what converged where it is the eigensolver's. */
export class SideFailure extends WarrenError {
  readonly side: Side;
  override readonly cause: unknown;

  constructor(side: Side, cause: WarrenError) {
    super(cause.code, `${side}: ${cause.message}`, cause.path === undefined ? {} : { path: cause.path });
    this.side = side;
    this.cause = cause;
  }
}

/** What is done for one side. */
interface SideWork {
  context: StartContext;
  request: ComputedRequest;
  side: Side;
}

type Embed = (threads: NumericThreads, graph: NeighbourGraph, work: SideWork) => Promise<ComputedVectors>;

/** Laplacian Eigenmaps, L_sym (LEPORID, Section 3.1): LEPORID with α = 0. */
export const laplacianEigenmaps = ofNeighbourGraphs((threads, graph, work) => spectral(threads, graph, work, 0));

/** LEPORID, L_regsym (Section 3.2, Eq. 8). */
export const leporidEmbeddings = ofNeighbourGraphs((threads, graph, work) =>
  spectral(threads, graph, work, work.request.settings.alpha),
);

/** NetMF of the graphs that LEPORID embeds (Section 5.2 and Appendix F). */
export const netMfEmbeddings = ofNeighbourGraphs(async (threads, graph, { context, request, side }) => {
  const { settings, dimension: dimensions } = request;
  const pulse = (): void => context.cancellation.throwIfCancelled();
  const solver = solverOf(context, settings, side);
  const vectors = await netMf(threads, graph.matrix, { dimensions, ...settings.netmf, solver, pulse });
  return { vectors, graph };
});

/**
 * A method that embeds the nearest-neighbour graph of users and that of items, each by itself (LEPORID, Section 3.3). It throws
 * `SideFailure` around whatever fails but for a cancellation.
 */
function ofNeighbourGraphs(embed: Embed): StartMethod {
  return async (context, request) => {
    const threads = await NumericThreads.open(context.compute.threads);
    try {
      const met = trainingMatrix(request.part);
      const found: Partial<Record<Side, ComputedVectors>> = {};
      for (const side of request.sides) {
        const sets = side === 'users' ? met : transposeSparse(met);
        found[side] = await embedSide(threads, sets, { embed, work: { context, request, side } });
      }
      return found;
    } finally {
      await threads.close();
    }
  };
}

async function embedSide(
  threads: NumericThreads,
  sets: SparseMatrix,
  { embed, work }: { embed: Embed; work: SideWork },
): Promise<ComputedVectors> {
  const { context, request, side } = work;
  const { reporter } = context;
  try {
    const graph = neighbourGraph(threads, sets, work);
    warnOfGraph(context, side, graph.report);
    request.onGraph?.(side, graph);
    const start = performance.now();
    const found = await embed(threads, graph, work);
    reporter.timing('embed', (performance.now() - start) / 1000);
    return found;
  } catch (error) {
    if (error instanceof WarrenError && error.code !== 'CANCELLED') throw new SideFailure(side, error);
    throw error;
  }
}

function neighbourGraph(
  threads: NumericThreads,
  sets: SparseMatrix,
  { context: { reporter, cancellation }, request: { settings }, side }: SideWork,
): NeighbourGraph {
  const start = performance.now();
  const matrix = nearestNeighbourGraph(threads, sets, {
    neighbours: settings.neighbours,
    similarity: settings.similarity,
    pulse: (done) => {
      cancellation.throwIfCancelled();
      reporter.progress(0.3 * done, `graph of ${side}`);
    },
  });
  const graph = { matrix, report: graphReport(matrix) };
  reporter.timing('graph', (performance.now() - start) / 1000);
  return graph;
}

async function spectral(
  threads: NumericThreads,
  graph: NeighbourGraph,
  { context, request, side }: SideWork,
  alpha: number,
): Promise<ComputedVectors> {
  const { settings, dimension: dimensions } = request;
  const { laplacian, eigenvectors: choice } = settings;
  const solver = solverOf(context, settings, side);
  const spectrum = await spectralEmbedding(threads, graph.matrix, { dimensions, alpha, laplacian, choice, solver });
  return { vectors: spectrum.vectors, graph, spectrum };
}

function warnOfGraph({ reporter }: StartContext, side: Side, report: GraphReport): void {
  const { nodes, edges, isolated, components } = report;
  if (edges === 0) throw badInput(`none of the ${nodes} ${side} has anything in common with another`, 'dataset');
  const parts = components - isolated;
  if (isolated > 0) {
    reporter.log(
      'warn',
      `${isolated} of ${nodes} ${side} have nothing in common with others: nothing is known of their place`,
    );
  }
  if (parts > 1) {
    reporter.log(
      'warn',
      `the graph of ${side} has ${parts} parts with edges: le has as many dimensions that tell only the parts apart`,
    );
  }
}
