import type { SmoothingParameters } from '#src/catalog/parameters/smoothingParameters.ts';
import { invariant } from '#src/lib/invariant.ts';
import type { TrainingPart } from '#workers/data/split/trainingPart.ts';
import type { tf } from '#workers/tensor/tf.ts';
import type { TrainingContext } from '../trainingContext.ts';
import { type OpenSmoothing, openSmoothing } from './openSmoothing.ts';
import { itemGraph, userItemGraph } from './smoothingGraph.ts';

/** Tables of a network that may be smoothed: by the names of their parameters, and what their rows are. */
export interface SmoothableTables {
  readonly names: readonly string[];
  /** `nodes`: users first, then items. */
  readonly rows: 'items' | 'nodes';
}

export interface SmoothingOf {
  /** Absent where nothing is smoothed. */
  smoothing: SmoothingParameters | undefined;
  training: TrainingPart;
  tables: SmoothableTables;
  parameters: ReadonlyMap<string, tf.Variable>;
}

/** Smoothing of a network's tables over the graph that the parameters ask for, or null where they ask for none. */
export async function smoothTables(
  context: Pick<TrainingContext, 'compute' | 'cancellation' | 'data' | 'reporter'>,
  { smoothing, training, tables: { names, rows }, parameters }: SmoothingOf,
): Promise<OpenSmoothing | null> {
  if (smoothing === undefined) return null;
  const { reporter } = context;
  const start = performance.now();
  const graph = await (rows === 'items' ? itemGraph : userItemGraph)(context, training, smoothing.graph);
  reporter.timing('graph', (performance.now() - start) / 1000);
  const tables = new Map(
    names.map((name) => {
      const table = parameters.get(name);
      invariant(table !== undefined, `there is no table ${name} to smooth`);
      return [name, table] as const;
    }),
  );
  return openSmoothing({ parameters: smoothing, graph, tables, reporter });
}
