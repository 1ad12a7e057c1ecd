import type { ComputedMethod, ComputedSettings } from '#src/catalog/parameters/embeddingParameters.ts';
import { badInput, WarrenError } from '#src/contracts/errors.ts';
import type { TrainingPart } from '#workers/data/split/trainingPart.ts';
import { interactionMatrix } from '#workers/graphs/featureSets.ts';
import { type GraphReport, graphReport } from '#workers/graphs/graphReport.ts';
import { interactionGraph } from '#workers/graphs/interactionGraph.ts';
import { nearestNeighbourGraph } from '#workers/graphs/nearestNeighbourGraph.ts';
import { netMf } from '#workers/graphs/netMf.ts';
import { randomWalks } from '#workers/graphs/randomWalks.ts';
import { type SpectralEmbedding, spectralEmbedding } from '#workers/graphs/spectralEmbedding.ts';
import { zScoreColumns } from '#workers/graphs/zScoreColumns.ts';
import type { EigenpairProgress } from '#workers/math/dense/eigenpairs.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import type { SparseMatrix } from '#workers/math/sparse/sparseMatrix.ts';
import { transposeSparse } from '#workers/math/sparse/transposeSparse.ts';
import { bprLearner } from '../bprLearner.ts';
import { initBpr } from '../bprTraining.ts';
import { quietObserver, train } from '../trainLoop.ts';
import { trainWordVectors } from '../trainWordVectors.ts';
import { NumericThreads } from '#workers/wasm/threads/numericThreads.ts';
import { truncatedSvd } from '#workers/wasm/linearAlgebra/truncatedSvd.ts';
import type { TrainingContext } from '../trainingContext.ts';
import { graphBertEmbeddings } from './graphBertEmbeddings.ts';

export const SIDES = ['users', 'items'] as const;
export type Side = (typeof SIDES)[number];

/** Embeddings of users or items, and what they were made of. */
export interface SideEmbedding {
  /** (rows, dimension) Row-major. */
  vectors: Float64Array;
  rows: number;
  dimension: number;
  /** Of le, leporid and netmf. */
  graph?: { matrix: SparseMatrix; report: GraphReport };
  /** Of le and leporid. */
  spectrum?: SpectralEmbedding;
}

export interface ComputedRequest {
  method: ComputedMethod;
  part: TrainingPart;
  dimension: number;
  settings: ComputedSettings;
  /** Which are wanted. */
  sides: readonly Side[];
  /** Called before the eigenvectors of a side are sought, with its graph. */
  onGraph?: (side: Side, graph: { matrix: SparseMatrix; report: GraphReport }) => void;
}

type Context = Pick<TrainingContext, 'reporter' | 'cancellation' | 'seed' | 'compute'>;

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

/**
 * Embeddings of users and items from training interactions, each met once or not (LEPORID, Section 5.2 and Appendix F). Those
 * of `svd` and `bpr` share a space: the score of an item is its product with the user; those of graphs do not. Equal
 * arguments and thread counts give equal bits. Throws BAD_INPUT for settings that do not fit the data, CANCELLED, and
 * `SideFailure` around an eigensolver that does not converge.
 */
export async function computedEmbeddings(
  context: Context,
  request: ComputedRequest,
): Promise<Map<Side, SideEmbedding>> {
  const { method, part, dimension, settings, sides } = request;
  const { userCount, itemCount } = part.dataset;
  const counts = { users: userCount, items: itemCount };
  const found = new Map<Side, SideEmbedding>();
  const keep = (side: Side, vectors: Float64Array, rest: Partial<SideEmbedding> = {}): void => {
    const scaled = settings.columns === 'z-score' ? zScoreColumns(vectors, dimension) : vectors;
    found.set(side, { vectors: scaled, rows: counts[side], dimension, ...rest });
  };
  if (method === 'bpr') {
    const model = await trainBpr(context, request);
    for (const side of sides) keep(side, Float64Array.from(model[side]));
    return found;
  }
  if (method === 'node2vec' || method === 'graph-bert') {
    const isWalked = method === 'node2vec';
    const vectors = isWalked
      ? await walkedEmbeddings(context, request)
      : Float64Array.from(await graphBertEmbeddings(context, request));
    const half = userCount * dimension;
    for (const side of sides) keep(side, side === 'users' ? vectors.slice(0, half) : vectors.slice(half));
    return found;
  }
  const threads = await NumericThreads.open(context.compute.threads);
  try {
    const met = interactionMatrix({ dataset: part.dataset, ends: part.trainEnd });
    if (met.columns.length === 0) throw badInput('there are no training interactions to embed', 'dataset');
    if (method === 'svd') {
      const { left, right, values } = await truncatedSvd(threads, met, {
        ...solverOf(context, settings),
        rank: dimension,
      });
      const scaled = (vectors: Float64Array) => vectors.map((value, at) => value * Math.sqrt(values[at % dimension]!));
      for (const side of sides) keep(side, scaled(side === 'users' ? left : right));
      return found;
    }
    for (const side of sides) {
      const sets = side === 'users' ? met : transposeSparse(met);
      const { vectors, ...rest } = await bySide(threads, { context, request, method, side, sets });
      keep(side, vectors, rest);
    }
    return found;
  } finally {
    await threads.close();
  }
}

type GraphMethod = Exclude<ComputedMethod, 'svd' | 'bpr' | 'node2vec' | 'graph-bert'>;

async function bySide(
  threads: NumericThreads,
  given: { context: Context; request: ComputedRequest; method: GraphMethod; side: Side; sets: SparseMatrix },
): Promise<Pick<SideEmbedding, 'vectors' | 'graph' | 'spectrum'>> {
  const { context, request, method, side, sets } = given;
  const { reporter, cancellation } = context;
  const { settings, dimension } = request;
  try {
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
    warnOfGraph(context, side, graph.report);
    request.onGraph?.(side, graph);
    const embedding = performance.now();
    const solver = solverOf(context, settings, side);
    if (method === 'netmf') {
      const pulse = (): void => cancellation.throwIfCancelled();
      const vectors = await netMf(threads, matrix, { dimensions: dimension, ...settings.netmf, solver, pulse });
      reporter.timing('embed', (performance.now() - embedding) / 1000);
      return { vectors, graph };
    }
    const alpha = method === 'le' ? 0 : settings.alpha;
    const { laplacian, eigenvectors: choice } = settings;
    const spectrum = await spectralEmbedding(threads, matrix, {
      dimensions: dimension,
      alpha,
      laplacian,
      choice,
      solver,
    });
    reporter.timing('embed', (performance.now() - embedding) / 1000);
    return { vectors: spectrum.vectors, graph, spectrum };
  } catch (error) {
    if (error instanceof WarrenError && error.code !== 'CANCELLED') throw new SideFailure(side, error);
    throw error;
  }
}

function warnOfGraph({ reporter }: Context, side: Side, report: GraphReport): void {
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

/** What the eigensolver is told: where the run can be cancelled, and who hears how far it is. */
function solverOf({ reporter, cancellation, seed }: Context, settings: ComputedSettings, side?: Side) {
  const { tolerance, maximumProducts } = settings;
  const of = side === undefined ? '' : ` of ${side}`;
  return {
    tolerance,
    seed,
    ...(maximumProducts !== null && { maximumProducts }),
    onProgress: ({ converged, wanted, products }: EigenpairProgress): void => {
      cancellation.throwIfCancelled();
      reporter.progress(
        0.3 + (0.7 * converged) / wanted,
        `${converged} of ${wanted} eigenvectors${of}, ${products} products`,
      );
    },
  };
}

async function trainBpr({ reporter, cancellation, seed }: Context, { part, dimension, settings }: ComputedRequest) {
  const { epochs, ...learning } = settings.bpr;
  const { userCount, itemCount } = part.dataset;
  const state = initBpr({ userCount, itemCount, dimension }, { initialDeviation: 0.01, seed });
  const pulse = (): void => cancellation.throwIfCancelled();
  const learner = bprLearner(state, part, { ...learning, patience: 0, path: 'parameters.bpr.learningRate', pulse });
  const progress = (fraction: number, message: string): void => reporter.progress(fraction, `bpr ${message}`);
  const start = performance.now();
  await train(learner, {
    epochs,
    observer: quietObserver({ progress }),
    test: async () => undefined,
  });
  reporter.timing('embed', (performance.now() - start) / 1000);
  return state.model;
}

/** (users + items, dimension) node2vec on the bipartite graph of users and items, one thread, so that it repeats. */
async function walkedEmbeddings(
  { reporter, cancellation, seed }: Context,
  { part, dimension, settings }: ComputedRequest,
): Promise<Float64Array> {
  const { walkLength, walks, p, q, window, negatives, epochs, learningRate } = settings.node2vec;
  const start = performance.now();
  const pulse = (): void => cancellation.throwIfCancelled();
  const graph = interactionGraph({ dataset: part.dataset, ends: part.trainEnd });
  const request = { length: walkLength, walks, returning: p, leaving: q, pulse };
  const { offsets, nodes } = randomWalks(graph, request, randomGenerator(seed, 'node2vec walks'));
  reporter.timing('graph', (performance.now() - start) / 1000);
  const learning = performance.now();
  const skipGram = {
    model: 'skip-gram',
    shrinkWindow: true,
    weightDecay: 0,
    subsample: 0,
    negativePower: 0.75,
  } as const;
  const progress = (fraction: number, message: string): void => reporter.progress(fraction, `node2vec ${message}`);
  const vectors = await trainWordVectors(
    { offsets, tokens: nodes, words: graph.rowCount },
    { ...skipGram, window, negatives, dimension, epochs, learningRate, finalLearningRate: learningRate / 250 },
    {
      seed,
      threads: 1,
      path: 'parameters.node2vec.learningRate',
      pulse,
      observer: quietObserver({ progress }),
      test: async (trained) => Float64Array.from(trained.vectors()),
    },
  );
  reporter.timing('embed', (performance.now() - learning) / 1000);
  return vectors;
}
