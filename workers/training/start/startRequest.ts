import type { ComputedMethod, ComputedSettings } from '#src/catalog/parameters/embeddingParameters.ts';
import { badInput } from '#src/base/contracts/errors.ts';
import type { TrainingPart } from '#workers/data/split/trainingPart.ts';
import { interactionMatrix } from '#workers/graphs/featureSets.ts';
import type { GraphReport } from '#workers/graphs/graphReport.ts';
import type { SpectralEmbedding } from '#workers/graphs/spectralEmbedding.ts';
import type { EigenpairProgress } from '#workers/math/dense/eigenpairs.ts';
import type { SparseMatrix } from '#workers/math/sparse/sparseMatrix.ts';
import type { TrainingContext } from '../trainingContext.ts';

export const SIDES = ['users', 'items'] as const;
export type Side = (typeof SIDES)[number];

export interface NeighbourGraph {
  matrix: SparseMatrix;
  report: GraphReport;
}

/** What a method makes of users or of items. */
export interface ComputedVectors {
  /** (rows, dimension) Row-major. */
  vectors: Float64Array;
  /** Of le, leporid and netmf. */
  graph?: NeighbourGraph;
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
  onGraph?: (side: Side, graph: NeighbourGraph) => void;
}

export type StartContext = Pick<TrainingContext, 'reporter' | 'cancellation' | 'seed' | 'compute'>;

/** One way to compute embeddings of those sides that are wanted, or of both. */
export type StartMethod = (
  context: StartContext,
  request: ComputedRequest,
) => Promise<Readonly<Partial<Record<Side, ComputedVectors>>>>;

/** (users, items) What each user trains with. Throws BAD_INPUT where that is nothing. */
export function trainingMatrix({ dataset, trainEnd }: TrainingPart): SparseMatrix {
  const met = interactionMatrix({ dataset, ends: trainEnd });
  if (met.columns.length === 0) throw badInput('there are no training interactions to embed', 'dataset');
  return met;
}

/** Users and items of one table (users + items, dimension), users first. */
export function bothSides(
  table: Float64Array,
  { part, dimension }: Pick<ComputedRequest, 'part' | 'dimension'>,
): Record<Side, ComputedVectors> {
  const half = part.dataset.userCount * dimension;
  return { users: { vectors: table.slice(0, half) }, items: { vectors: table.slice(half) } };
}

/** What the eigensolver is told: where the run can be cancelled, and who hears how far it is. */
export function solverOf(
  { reporter, cancellation, seed }: StartContext,
  { tolerance, maximumProducts }: ComputedSettings,
  side?: Side,
) {
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
