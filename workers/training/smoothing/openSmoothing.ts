import type { SmoothingParameters } from '#src/catalog/parameters/smoothingParameters.ts';
import { graphReport } from '#workers/graphs/graphReport.ts';
import type { SparseMatrix } from '#workers/math/sparse/sparseMatrix.ts';
import type { tf } from '#workers/tensor/tf.ts';
import type { TrainingContext } from '../trainingContext.ts';
import { disposeSmoothing, graphSmoothing } from './graphSmoothing.ts';
import { type SmoothedTables, smoothedTables } from './smoothedTables.ts';
import { directionWarning } from './transformation.ts';

export interface OpenSmoothing extends SmoothedTables {
  dispose(): void;
}

export interface SmoothingRequest {
  parameters: SmoothingParameters;
  graph: SparseMatrix;
  /** By name: their rows are the nodes of the graph. */
  tables: ReadonlyMap<string, tf.Variable>;
  reporter: TrainingContext['reporter'];
}

/**
 * Smoothing of tables over one graph, as the parameters say; what the graph is like is noted, and Theorem 1's warning logged.
 * Throws BAD_INPUT for a graph that is not symmetric, has negative weights or another number of nodes than a table has rows.
 */
export function openSmoothing({ parameters, graph, tables, reporter }: SmoothingRequest): OpenSmoothing {
  const { form, beta, layers, momentCorrection, epsilon } = parameters;
  const transformation = { form, beta, layers };
  const warning = directionWarning(transformation);
  if (warning !== null) reporter.log('warn', warning);
  reporter.note('smoothingGraph', graphReport(graph));
  const smoothing = graphSmoothing(graph, transformation);
  const dispose = (): void => disposeSmoothing(smoothing);
  const smoothed = [...tables].map(([name, table]) => [name, { table, smoothing }] as const);
  try {
    const opened = smoothedTables(new Map(smoothed), { momentCorrection, epsilonInRoot: epsilon === 'inside' });
    return { ...opened, dispose };
  } catch (error) {
    dispose();
    throw error;
  }
}
