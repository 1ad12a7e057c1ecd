import { z } from 'zod';
import { badInput } from '#src/base/contracts/errors.ts';
import { coerceError } from '#src/base/lib/coerceError.ts';
import type { DatasetInfo } from '../datasetInfo.ts';
import { datasetSelectionSchema, SPLITS } from '../datasetSelection.ts';
import { knownDataset } from '../datasets.ts';
import { describeIssues } from '../describeIssues.ts';
import { isGenerated } from '../generatedDatasets.ts';
import type { KindDefinition, Preset } from '../kind.ts';
import { allKinds } from '../kinds.ts';
import { builtInMetric } from '../metricDirection.ts';
import { FILE_READERS } from '../readers.ts';
import type { MetricInfo } from '../rankingMetrics.ts';
import { configurationOf, parametersJsonSchema } from '../resolveConfiguration.ts';
import { addedMetric, addedReaders, type ModuleContent } from './addedContent.ts';
import {
  type Addition,
  isAddition,
  isDatasetAddition,
  isKindAddition,
  isPresetAddition,
  isReaderAddition,
  type KindAddition,
  type ReaderInput,
} from './addition.ts';

const KIND_NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const PRESET_NAME = /^[a-z0-9-]+\/[a-z0-9-]+$/;
/** A path that stays in its folder. */
const fileName = z.string().regex(/^(?!.*(^|\/)\.\.?(\/|$))[^/\\][^\\]*$/, 'a name within the data folder');

const presetSchema = z.object({
  name: z.string().regex(PRESET_NAME, 'GROUP/NAME in lower-case letters, digits and "-"'),
  description: z.string(),
  dataset: z.string().nullable(),
  parameters: z.record(z.string(), z.unknown()),
});

/** What the types of `warren/kinds` ask for, for modules that nobody has type-checked. */
const kindSchema = z.object({
  kind: z.string().max(60).regex(KIND_NAME, 'lower-case words joined by "-", such as my-model'),
  version: z.int().min(1),
  title: z.string().min(1),
  description: z.string(),
  source: z.string(),
  parameters: z.custom<z.ZodObject>((value) => value instanceof z.ZodObject, 'expected z.strictObject({ … })'),
  data: z.enum(['sequences', 'series', 'series-or-none', 'text', 'none']),
  splits: z.array(z.enum(SPLITS)).min(1).optional(),
  requires: z.literal('gpu').optional(),
  presets: z.array(presetSchema),
  primaryMetric: z.string().regex(/^[^\s]+$/, 'the name of a metric, such as test/ndcg@10'),
});

const readerSchema = z.object({
  name: z.string().max(60).regex(KIND_NAME, 'lower-case words joined by "-", such as my-log'),
  words: z.string().min(1),
});

/** The last part of a metric's name: `reach` is for `test/reach@10`. */
const METRIC_NAME = /^[^\s/@*]+$/;

const metricSchema = z.object({
  direction: z.literal(['higher', 'lower', null]),
  description: z.string().min(1),
  source: z.string().nullable(),
});

const datasetSchema = z.object({
  name: datasetSelectionSchema.shape.name,
  title: z.string().min(1),
  holds: z.enum(['sequences', 'series', 'prices', 'text']),
  files: z
    .array(
      z.object({
        name: fileName,
        format: z.enum([
          'sequences',
          'table',
          'user-item-rating-time',
          'movielens-dat',
          'movielens-tabs',
          'amazon-ratings',
          'json-lines',
          'unordered',
          'series',
          'prices',
          'text',
        ]),
        test: fileName.optional(),
      }),
    )
    .min(1),
  downloads: z.array(
    z.object({
      url: z.url({ protocol: /^https$/, error: 'an https address' }),
      sha256: z
        .string()
        .regex(/^[0-9a-f]{64}$/, '64 hexadecimal digits')
        .nullable(),
      maximumBytes: z.int().positive(),
      unpack: z.record(z.string(), fileName).nullable(),
      saveAs: fileName,
    }),
  ),
});

/**
 * What a module's exports add to the catalog, checked as Warren's own kinds are: names are free, every parameter has a
 * default and a description, every preset resolves. Other exports are left alone.
 * @throws WarrenError BAD_INPUT that says what is wrong and what would be right; nothing has been added then.
 */
export function checkModule(exports: Readonly<Record<string, unknown>>): ModuleContent {
  const additions = [...new Set(Object.values(exports))].filter(isAddition);
  const kinds = additions.filter(isKindAddition);
  for (const [index, kind] of kinds.entries()) checkKind(kind, kinds.slice(0, index));
  const datasets = additions.filter(isDatasetAddition).map(({ dataset }) => dataset);
  for (const [index, dataset] of datasets.entries()) checkDataset(dataset, datasets.slice(0, index));
  const presets = additions.filter(isPresetAddition);
  checkPresets(
    kinds.map(({ definition }) => definition),
    presets,
  );
  const readers = additions.filter(isReaderAddition).map(({ reader }) => reader);
  for (const [index, reader] of readers.entries()) checkReader(reader, readers.slice(0, index));
  return { kinds, datasets, presets, readers };
}

function checkReader(reader: ReaderInput, before: readonly ReaderInput[]): void {
  const what = `reader ${String(reader.name)}`;
  checkShape(readerSchema, reader, what);
  if (typeof reader.read !== 'function') throw badInput(`${what}: read is not a function; it finds the rows of a file`);
  if ([...FILE_READERS, ...addedReaders(), ...before].some(({ name }) => name === reader.name)) {
    throw badInput(`${what}: there is a reader of that name already; choose another`);
  }
}

/** Whether a module adds anything at all. */
export function addsSomething(exports: Readonly<Record<string, unknown>>): boolean {
  return Object.values(exports).some((value): value is Addition => isAddition(value));
}

function checkShape(schema: z.ZodObject, input: unknown, what: string): void {
  const parsed = schema.safeParse(input);
  if (parsed.success) return;
  const problems = describeIssues(parsed.error.issues, { input, prefix: '', known: Object.keys(schema.shape) });
  throw badInput(`${what}: ${problems.map(({ path, message }) => `${path}: ${message}`).join('; ')}`);
}

function checkKind({ definition, metrics, run }: KindAddition, before: readonly KindAddition[]): void {
  const name = String(definition.kind);
  checkShape(kindSchema, definition, `kind ${name}`);
  if (typeof run !== 'function') throw badInput(`kind ${name}: run is not a function; it executes a run of the kind`);
  const taken = [...allKinds(), ...before.map((other) => other.definition)];
  if (taken.some(({ kind }) => kind === name)) {
    throw badInput(`kind ${name}: there is a kind of that name already; choose another`);
  }
  checkParameters(definition);
  for (const [metric, info] of Object.entries(metrics))
    checkMetric(`kind ${name}: metric ${metric}`, { metric, info, before });
}

interface MetricToCheck {
  metric: string;
  info: MetricInfo;
  /** Kinds of the same module. */
  before: readonly KindAddition[];
}

function checkMetric(what: string, { metric, info, before }: MetricToCheck): void {
  if (!METRIC_NAME.test(metric) || metric !== metric.toLowerCase()) {
    const expected = metric.toLowerCase().replace(/@.*$/, '').split('/').at(-1);
    throw badInput(
      `${what}: is declared by the last part of its name, in lower case and without a cut-off: ${expected}`,
    );
  }
  checkShape(metricSchema, info, what);
  const own = builtInMetric(metric);
  const other = own ?? before.find(({ metrics }) => metric in metrics)?.metrics[metric] ?? addedMetric(metric);
  if (other === undefined || other.direction === info.direction) return;
  const better = other.direction === null ? 'neither higher nor lower is better' : `${other.direction} is better`;
  const whose = own === null ? 'another kind of WARREN_KINDS says' : 'Warren knows it already:';
  throw badInput(`${what}: ${whose} ${better}; say the same, or choose another name`);
}

function checkParameters(kind: KindDefinition): void {
  const subject = `kind ${kind.kind}: parameter`;
  for (const [name, schema] of Object.entries<z.ZodType>(kind.parameters.shape)) {
    if (!schema.safeParse(undefined).success) throw badInput(`${subject} ${name} has no default; add .default(…)`);
    if (!schema.description) throw badInput(`${subject} ${name} has no description; add .describe('…')`);
  }
  if (kind.parameters.safeParse({ 'no parameter': 1 }).success) {
    throw badInput(
      `kind ${kind.kind}: parameters take members that are none; use z.strictObject, so that misspelled ones are refused`,
    );
  }
  const defaults = kind.parameters.safeParse({});
  if (!defaults.success) {
    throw badInput(`kind ${kind.kind}: its defaults are refused: ${defaults.error.issues[0]?.message}`);
  }
  try {
    parametersJsonSchema(kind);
  } catch (thrown) {
    throw badInput(`kind ${kind.kind}: no form can be drawn of its parameters: ${coerceError(thrown).message}`);
  }
}

function checkPresets(own: readonly KindDefinition[], added: ModuleContent['presets']): void {
  const kinds = [...allKinds(), ...own];
  const taken = new Set(allKinds().flatMap(({ presets }) => presets.map(({ name }) => name)));
  const check = (kind: KindDefinition, preset: Preset): void => {
    const what = `preset ${preset.name} of kind ${kind.kind}`;
    checkShape(presetSchema, preset, what);
    if (taken.has(preset.name)) throw badInput(`${what}: there is a preset of that name already; choose another`);
    taken.add(preset.name);
    try {
      configurationOf(kind, preset);
    } catch (thrown) {
      throw badInput(`${what}: ${coerceError(thrown).message}`);
    }
  };
  for (const kind of own) for (const preset of kind.presets) check(kind, preset);
  for (const { kind: name, preset } of added) {
    const kind = kinds.find((known) => known.kind === name);
    if (kind === undefined) throw badInput(`preset ${preset.name}: there is no kind "${name}"`);
    check(kind, preset);
  }
}

function checkDataset(dataset: DatasetInfo, before: readonly DatasetInfo[]): void {
  const what = `dataset ${String(dataset.name)}`;
  checkShape(datasetSchema, dataset, what);
  for (const name of [dataset.name, ...(dataset.aliases ?? [])]) {
    if (isGenerated(name)) throw badInput(`${what}: names that begin with generated/ are for generated data`);
    const taken = knownDataset(name) !== undefined || before.some((other) => other.name === name);
    if (taken) throw badInput(`${what}: there is a dataset "${name}" already; choose another name`);
  }
}
