import type { SmoothingParameters } from '#src/catalog/parameters/smoothingParameters.ts';
import { invariant } from '#src/base/lib/invariant.ts';
import type { TrainingPart } from '#workers/data/split/trainingPart.ts';
import { graphReport } from '#workers/graphs/graphReport.ts';
import type { SparseMatrix } from '#workers/math/sparse/sparseMatrix.ts';
import type { tf } from '#workers/tensor/tf.ts';
import type { TrainingContext } from '../trainingContext.ts';
import { disposeSmoothing, graphSmoothing } from './graphSmoothing.ts';
import { type SmoothedTables, smoothedTables } from './smoothedTables.ts';
import { itemGraph, userItemGraph } from './smoothingGraph.ts';
import { directionWarning } from './transformation.ts';

export interface OpenSmoothing extends SmoothedTables {
  dispose(): void;
}

/** Tables of a network that may be smoothed: by the names of their parameters, and what their rows are. */
export interface SmoothableTables {
  readonly names: readonly string[];
  /** `nodes`: users first, then items. */
  readonly rows: 'items' | 'nodes';
}

export interface SmoothingRequest {
  smoothing: SmoothingParameters;
  training: TrainingPart;
  tables: SmoothableTables;
  /** All parameters of the network, by name. */
  parameters: ReadonlyMap<string, tf.Variable>;
}

/**
 * Smoothing (SEvo) of a network's tables over the graph that the run's parameters ask for. What the graph is like is noted, and
 * Theorem 1's warning logged. Throws BAD_INPUT for a graph that is not symmetric, has negative weights or another number of nodes
 * than a table has rows.
 */
export async function openSmoothing(
  context: Pick<TrainingContext, 'compute' | 'cancellation' | 'data' | 'reporter'>,
  { smoothing: settings, training, tables: { names, rows }, parameters }: SmoothingRequest,
): Promise<OpenSmoothing> {
  const { reporter } = context;
  const { form, beta, layers, momentCorrection, epsilon } = settings;
  const transformation = { form, beta, layers };
  const start = performance.now();
  const graph: SparseMatrix = await (rows === 'items' ? itemGraph : userItemGraph)(context, training, settings.graph);
  reporter.timing('graph', (performance.now() - start) / 1000);
  const warning = directionWarning(transformation);
  if (warning !== null) reporter.log('warn', warning);
  reporter.note('smoothingGraph', graphReport(graph));
  const smoothing = graphSmoothing(graph, transformation);
  const dispose = (): void => disposeSmoothing(smoothing);
  try {
    const tables = names.map((name) => {
      const table = parameters.get(name);
      invariant(table !== undefined, `there is no table ${name} to smooth`);
      return [name, { table, smoothing }] as const;
    });
    const opened = smoothedTables(new Map(tables), { momentCorrection, epsilonInRoot: epsilon === 'inside' });
    return { ...opened, dispose };
  } catch (error) {
    dispose();
    throw error;
  }
}
