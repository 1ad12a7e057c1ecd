import type { z } from 'zod';
import type { DatasetSelection, SplitName } from './datasetSelection.ts';

export type MetricDirection = 'higher' | 'lower';

export interface Preset {
  /** `paper/what`, such as `overrec/rntk-beauty`. */
  name: string;
  description: string;
  dataset: string | null;
  /** How the dataset is prepared and split, where that is not the default; it stays where another dataset is named. */
  selection?: Partial<Omit<DatasetSelection, 'name'>>;
  parameters: Record<string, unknown>;
}

/** What can be run: validated by the API, drawn as a form by the dashboard, executed by `workers/experiments`. */
export interface KindDefinition<Schema extends z.ZodObject = z.ZodObject> {
  kind: string;
  /** Raised when the same parameters would give other numbers. */
  version: number;
  title: string;
  description: string;
  /** Where the method comes from. */
  source: string;
  /** Every parameter with `.describe()` (meaning, unit, what raising it does) and `.default()`. */
  parameters: Schema;
  /**
   * What a new configuration gets beside the schema's defaults: values of parameters that came later, where a configuration
   * without them means something else, so that earlier ones keep their hash and what they compute.
   */
  laterDefaults?(parameters: z.output<Schema>): Record<string, unknown>;
  /**
   * What data it needs: `series` for labelled series or prices, `series-or-none` for kinds that make their own where none
   * is named, `text` for labelled texts; `none` for kinds that always make their own.
   */
  data: 'sequences' | 'series' | 'series-or-none' | 'text' | 'none';
  /** Splits by which it can evaluate, its default first; leave-one-out alone where it says nothing. */
  splits?: readonly SplitName[];
  /**
   * `gpu` for kinds that are hopeless on a processor: their runs wait for a worker with a graphics processor. A parameter
   * named `requires` with the value `gpu` asks for one in a single configuration.
   */
  requires?: 'gpu';
  /** It draws nothing at random: runs of other seeds give the same, and one run says everything. */
  deterministic?: true;
  presets: readonly Preset[];
  /** The metric by which runs of this kind are compared first. */
  primaryMetric: string;
}

/** A kind of Warren's own: its type says its name, by which studies and experiments are held against it. */
export interface BuiltInKind<Name extends string, Schema extends z.ZodObject> extends KindDefinition<Schema> {
  kind: Name;
}
