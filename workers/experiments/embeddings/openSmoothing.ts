import type { SmoothingParameters } from '../../../src/catalog/parameters/smoothingParameters.ts';
import { withIsolatedNodes } from '../../graphs/mixedGraph.ts';
import { graphReport } from '../../graphs/graphReport.ts';
import type { SparseMatrix } from '../../math/sparseMatrix.ts';
import type { tf } from '../../tensor/tf.ts';
import { disposeSmoothing, type GraphSmoothing, graphSmoothing } from '../../training/smoothing/graphSmoothing.ts';
import { type SmoothedTables, smoothedTables } from '../../training/smoothing/smoothedTables.ts';
import { directionWarning } from '../../training/smoothing/transformation.ts';
import type { Reporter } from '../experiment.ts';

export interface OpenSmoothing extends SmoothedTables {
  dispose(): void;
}

export interface SmoothingRequest {
  parameters: SmoothingParameters;
  graph: SparseMatrix;
  /** By name: their first rows are the nodes of the graph, the others are joined to nothing. */
  tables: ReadonlyMap<string, tf.Variable>;
  reporter: Reporter;
}

/** Smoothing of tables over one graph, as the parameters say; what the graph is like is noted, and Theorem 1's warning logged. */
export function openSmoothing({ parameters, graph, tables, reporter }: SmoothingRequest): OpenSmoothing {
  const { form, beta, layers, momentCorrection, epsilon } = parameters;
  const transformation = { form, beta, layers };
  const warning = directionWarning(transformation);
  if (warning !== null) reporter.log('warn', warning);
  reporter.note('smoothingGraph', graphReport(graph));
  const byRows = new Map<number, GraphSmoothing>();
  const smoothingOf = (rows: number): GraphSmoothing => {
    const found =
      byRows.get(rows) ?? graphSmoothing(withIsolatedNodes(graph, { before: 0, nodes: rows }), transformation);
    byRows.set(rows, found);
    return found;
  };
  const smoothed = [...tables].map(
    ([name, table]) => [name, { table, smoothing: smoothingOf(table.shape[0]!) }] as const,
  );
  const opened = smoothedTables(new Map(smoothed), { momentCorrection, epsilonInRoot: epsilon === 'inside' });
  return { ...opened, dispose: () => byRows.forEach(disposeSmoothing) };
}
