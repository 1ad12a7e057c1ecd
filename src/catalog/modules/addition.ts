import type { z } from 'zod';
import type { DatasetInfo } from '../datasetInfo.ts';
import type { KindDefinition, Preset } from '../kind.ts';
import type { MetricInfo } from '../rankingMetrics.ts';

/** Marks what the three functions below have made, so that a module may export anything else beside it. */
const ADDITION: unique symbol = Symbol.for('warren.addition');

/** What executes a run; `warren/kinds` says what it is given. */
export type KindProgram = (context: never) => Promise<void>;

export interface KindAddition {
  readonly [ADDITION]: 'kind';
  readonly definition: KindDefinition;
  /** What the kind reports and Warren does not know, by the last part of the name. */
  readonly metrics: DeclaredMetrics;
  readonly run: KindProgram;
}

export type DeclaredMetrics = Readonly<Record<string, MetricInfo>>;

export interface PresetAddition {
  readonly [ADDITION]: 'preset';
  /** Of which kind it is a preset. */
  readonly kind: string;
  readonly preset: Preset;
}

export interface DatasetAddition {
  readonly [ADDITION]: 'dataset';
  readonly dataset: DatasetInfo;
}

/** A file that a reader of one's own reads: out of whatever it is packed in, as text. */
export interface ReaderFile {
  /** As it was given, for messages. */
  path: string;
  /** Its lines, without line ends, empty ones included. */
  lines(): AsyncIterable<string>;
  /** All of it. */
  text(): Promise<string>;
}

/** An interaction as a reader of one's own finds it; a time is a number or written in one of the usual forms. */
export interface ReaderRow {
  user: string | number;
  item: string | number;
  time?: string | number;
  rating?: string | number;
  /** Where it stands in the file, for messages; the number of the row where it is missing. */
  line?: number;
}

export interface ReaderAddition {
  readonly [ADDITION]: 'reader';
  readonly reader: ReaderInput;
}

/** A reader as a module defines it: `read` finds the interactions of a file, in the order of the file. */
export interface ReaderInput {
  /** For `warren data import --format NAME`. */
  name: string;
  /** What its files are like. */
  words: string;
  read: (file: ReaderFile) => AsyncIterable<ReaderRow> | Iterable<ReaderRow>;
}

/** What a module of WARREN_KINDS may add. */
export type Addition = KindAddition | PresetAddition | DatasetAddition | ReaderAddition;

type PresetInput = Pick<Preset, 'name'> & Partial<Preset>;

type Optional = 'version' | 'description' | 'source' | 'data' | 'presets' | 'primaryMetric';

/** A kind as a module defines it: what is left out has the defaults of `defineKind`. */
export type KindInput<Schema extends z.ZodObject, Program extends KindProgram> = Omit<
  KindDefinition<Schema>,
  Optional
> &
  Partial<Pick<KindDefinition<Schema>, Exclude<Optional, 'presets'>>> & {
    presets?: readonly PresetInput[];
    /**
     * Metrics that Warren does not know, by the last part of their names without a cut-off: `reach` is for `test/reach@10`.
     * Direction `higher`, `lower`, or null where neither is better.
     */
    metrics?: Readonly<Record<string, Omit<MetricInfo, 'source'> & { source?: string | null }>>;
    run: Program;
  };

/** A dataset as a module defines it. */
export type DatasetInput = Pick<DatasetInfo, 'name' | 'title' | 'holds' | 'files'> & Partial<DatasetInfo>;

/**
 * A kind of one's own; export it from a module of WARREN_KINDS. Left out: version 1, sequences as data, `test/ndcg@10` as
 * primary metric, no presets, no description, no metrics of its own. It is checked when the module is loaded.
 */
export function defineKind<Schema extends z.ZodObject, Program extends KindProgram>(
  input: KindInput<Schema, Program>,
): KindAddition {
  const { run, presets = [], metrics = {}, ...definition } = input;
  return {
    [ADDITION]: 'kind',
    definition: {
      version: 1,
      description: '',
      source: '',
      data: 'sequences',
      primaryMetric: 'test/ndcg@10',
      ...definition,
      presets: presets.map(wholePreset),
    },
    metrics: wholeMetrics(metrics),
    run,
  };
}

/** Nobody may have type-checked the module: what is no metric is left to the check. */
function wholeMetrics(metrics: NonNullable<KindInput<z.ZodObject, KindProgram>['metrics']>): DeclaredMetrics {
  return Object.fromEntries(
    Object.entries(metrics).map(([name, metric]) => [name, { ...metric, source: metric?.source ?? null }]),
  );
}

/** A named choice of parameters for a kind, Warren's or one's own. */
export function definePreset(kind: string, preset: PresetInput): PresetAddition {
  return { [ADDITION]: 'preset', kind, preset: wholePreset(preset) };
}

/** A dataset that is known by name; its files are looked for in the folders of WARREN_DATA. */
export function defineDataset(input: DatasetInput): DatasetAddition {
  const empty = { description: '', home: '', licence: '', citation: '', published: [], downloads: [] };
  return { [ADDITION]: 'dataset', dataset: { ...empty, ...input } };
}

/** A reader of files in a form of one's own, for `warren data import --format NAME`. */
export function defineReader(reader: ReaderInput): ReaderAddition {
  return { [ADDITION]: 'reader', reader };
}

function wholePreset(preset: PresetInput): Preset {
  return { description: '', dataset: null, parameters: {}, ...preset };
}

/** Whether a module's export is an addition. What is in it is not checked yet. */
export function isAddition(value: unknown): value is Addition {
  return typeof value === 'object' && value !== null && ADDITION in value;
}

export function isKindAddition(addition: Addition): addition is KindAddition {
  return addition[ADDITION] === 'kind';
}

export function isPresetAddition(addition: Addition): addition is PresetAddition {
  return addition[ADDITION] === 'preset';
}

export function isDatasetAddition(addition: Addition): addition is DatasetAddition {
  return addition[ADDITION] === 'dataset';
}

export function isReaderAddition(addition: Addition): addition is ReaderAddition {
  return addition[ADDITION] === 'reader';
}
