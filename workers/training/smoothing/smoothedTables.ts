import { tf } from '#workers/tensor/tf.ts';
import type { ParameterSettings } from '#src/catalog/optimizers/optimizer.ts';
import type { TrainingMonitor } from '../networkLearner.ts';
import { checkTable, type GraphSmoothing, smoothness, smoothVariation } from './graphSmoothing.ts';

export interface SmoothedTable {
  readonly table: tf.Variable;
  readonly smoothing: GraphSmoothing;
}

/** What the tables share, beside their graphs. */
export interface SmoothedOptions {
  readonly momentCorrection: boolean;
  readonly epsilonInRoot: boolean;
}

/** How an optimizer smooths tables, and what it tells of it. */
export interface SmoothedTables {
  /** What is different for a parameter: for `initOptimizer`. */
  own(name: string): ParameterSettings;
  /**
   * After every epoch: `smoothness/variation` and `smoothness/smoothed`, J of the first step's variation before and after
   * smoothing, and `smoothness/embedding`, J of the table (SEvo Figure 4b); several tables have their names in between.
   */
  readonly monitor: TrainingMonitor;
}

/** Smooths the variations of tables, by parameter: E ← E + ψ(ΔE) (SEvo Eq. 2). Throws BAD_INPUT where a graph does not fit its table. */
export function smoothedTables(tables: ReadonlyMap<string, SmoothedTable>, options: SmoothedOptions): SmoothedTables {
  for (const [name, { table, smoothing }] of tables) checkTable(smoothing, name, table);
  const waiting = new Set<string>();
  const measured = new Map<string, tf.Scalar>();
  const smooth = (name: string, smoothing: GraphSmoothing, variation: tf.Tensor): tf.Tensor => {
    const smoothed = smoothVariation(smoothing, variation);
    if (waiting.delete(name)) {
      measured.set(`${name}/variation`, tf.keep(smoothness(smoothing, variation)));
      measured.set(`${name}/smoothed`, tf.keep(smoothness(smoothing, smoothed)));
    }
    return smoothed;
  };
  return {
    own: (name) => {
      const found = tables.get(name);
      if (found === undefined) return {};
      return { ...options, smoothing: (variation) => smooth(name, found.smoothing, variation) };
    },
    monitor: {
      start: () => {
        for (const name of tables.keys()) waiting.add(name);
      },
      finish: async () => {
        for (const [name, { table, smoothing }] of tables)
          measured.set(`${name}/embedding`, smoothness(smoothing, table));
        const metrics: Record<string, number> = {};
        for (const [key, scalar] of measured) {
          const [value] = await scalar.data<'float32'>();
          metrics[`smoothness/${tables.size === 1 ? key.slice(key.lastIndexOf('/') + 1) : key}`] = value!;
          scalar.dispose();
        }
        measured.clear();
        return metrics;
      },
      stop: () => {
        tf.dispose([...measured.values()]);
        measured.clear();
      },
    },
  };
}
