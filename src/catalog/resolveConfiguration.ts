import { z } from 'zod';
import { badInput } from '../base/contracts/errors.ts';
import { shownValue } from '../base/lib/shownValue.ts';
import { stableHash } from '../base/lib/stableHash.ts';
import { type DatasetSelection, datasetSelectionSchema, selectionIdentity } from './datasetSelection.ts';
import { knownDataset } from './datasets.ts';
import { describeIssues, listProblems } from './describeIssues.ts';
import { generatedHolds, isGenerated, parseGeneratedName } from './generatedDatasets.ts';
import type { KindDefinition, Preset } from './kind.ts';
import { kindByName, presetByName } from './kinds.ts';
import { parseParameters } from './parseParameters.ts';
import { isPlainObject } from '../base/lib/plainObject.ts';

/** What is asked for, from outside: nothing in it is trusted. */
export interface ConfigurationRequest {
  kind: string;
  /** A name, or a dataset selection (without a name, that of the preset); overrides the preset's. */
  dataset?: unknown;
  /** Override the preset's; what neither gives has the kind's default. */
  parameters?: unknown;
  preset?: string | null;
}

/** A configuration: everything that decides what a run computes, but for its seed. */
export interface ResolvedConfiguration {
  kind: string;
  kindVersion: number;
  dataset: DatasetSelection | null;
  /** With all defaults filled in. */
  parameters: Record<string, unknown>;
  /** sha256 over all of the above, without what is at the default of fields that came later (`selectionIdentity`). */
  hash: string;
}

/** `over` on top of `base`: objects are merged member by member, anything else is replaced. */
export function merge(
  base: Readonly<Record<string, unknown>>,
  over: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const merged = new Map(Object.entries(base));
  for (const [key, value] of Object.entries(over)) {
    if (value === undefined) continue;
    const below = merged.get(key);
    merged.set(key, isPlainObject(below) && isPlainObject(value) ? merge(below, value) : value);
  }
  return Object.fromEntries(merged);
}

function resolveParameters(kind: KindDefinition, preset: Preset | null, given: unknown): Record<string, unknown> {
  if (given !== undefined && given !== null && !isPlainObject(given)) {
    throw badInput(`parameters: received ${shownValue(given)}, expected an object`, 'parameters');
  }
  const parameters = parseParameters(kind, merge(preset?.parameters ?? {}, given ?? {}));
  return merge(kind.laterDefaults?.(parameters) ?? {}, parameters);
}

const EXAMPLES = {
  sequences: 'amazon-beauty or generated/markov-medium',
  series: 'ucr/GunPoint',
  text: 'imdb-reviews-6k or generated/reviews-small',
} as const;

function needsOf(kind: KindDefinition): keyof typeof EXAMPLES {
  return kind.data === 'text' || kind.data === 'sequences' ? kind.data : 'series';
}

/** Refuses data of another kind, as far as the name alone says what it holds. */
function checkHolding(kind: KindDefinition, { name }: DatasetSelection): void {
  const holds = isGenerated(name) ? generatedHolds(parseGeneratedName(name).what) : knownDataset(name)?.holds;
  const needs = needsOf(kind);
  if (holds === undefined || holds === needs || (holds === 'prices' && needs === 'series')) return;
  throw badInput(
    `dataset.name: "${name}" holds ${holds}, but kind ${kind.kind} needs ${needs}, such as ${EXAMPLES[needs]}`,
    'dataset.name',
  );
}

/** Series and texts are taken as they are: what prepares and splits sequences of items is refused. */
function checkPlainSelection(kind: KindDefinition, selection: DatasetSelection): void {
  const plain: Record<string, unknown> = datasetSelectionSchema.parse({ name: selection.name });
  const other = Object.entries(selection).find(([field, value]) => field !== 'lenient' && value !== plain[field]);
  if (other !== undefined) {
    const [field, value] = other;
    throw badInput(
      `dataset.${field}: received ${shownValue(value)}, but kind ${kind.kind} takes its ${kind.data === 'text' ? 'texts' : 'series'} as they are`,
      `dataset.${field}`,
    );
  }
}

function resolveDataset(kind: KindDefinition, preset: Preset | null, given: unknown): DatasetSelection | null {
  const asked = given ?? preset?.dataset ?? null;
  if (kind.data === 'none') {
    if (asked !== null)
      throw badInput(`dataset: kind ${kind.kind} takes none, received ${shownValue(asked)}`, 'dataset');
    return null;
  }
  if (asked === null) {
    if (kind.data === 'series-or-none') return null;
    throw badInput(`dataset: kind ${kind.kind} needs one, such as ${EXAMPLES[needsOf(kind)]}`, 'dataset');
  }
  const preparation: Record<string, unknown> = { ...preset?.selection };
  const named = preset?.dataset == null ? preparation : { ...preparation, name: preset.dataset };
  const request = typeof asked === 'string' ? { name: asked } : asked;
  const [ownSplit = 'leave-one-out'] = kind.splits ?? [];
  const input = isPlainObject(request) ? { split: ownSplit, ...merge(named, request) } : request;
  const parsed = datasetSelectionSchema.safeParse(input);
  if (!parsed.success) {
    const known = Object.keys(datasetSelectionSchema.shape);
    const problems = describeIssues(parsed.error.issues, { input, prefix: 'dataset', known });
    throw badInput(listProblems(problems, 'the dataset'), problems[0]?.path);
  }
  const selection = parsed.data;
  const splits = kind.splits ?? ['leave-one-out'];
  if (!splits.includes(selection.split)) {
    throw badInput(
      `dataset.split: received "${selection.split}", but kind ${kind.kind} evaluates by ${splits.join(' or ')} only`,
      'dataset.split',
    );
  }
  if (kind.data !== 'sequences') checkPlainSelection(kind, selection);
  checkHolding(kind, selection);
  return { ...selection, name: knownDataset(selection.name)?.name ?? selection.name };
}

/**
 * Fills in what a request leaves open (preset, then defaults) and checks it against the kind's schema. Datasets are not
 * looked for: they may be on another machine. Throws NOT_FOUND for unknown kinds and presets, BAD_INPUT that lists each
 * problem with its path, what was received and what is expected.
 */
export function resolveConfiguration(request: ConfigurationRequest): ResolvedConfiguration {
  const kind = kindByName(request.kind);
  const preset = request.preset === undefined || request.preset === null ? null : presetByName(kind, request.preset);
  return configurationOf(kind, preset, request);
}

/** `resolveConfiguration` for a kind and a preset that need not be in the catalog. Throws BAD_INPUT as it does. */
export function configurationOf(
  kind: KindDefinition,
  preset: Preset | null,
  request: Pick<ConfigurationRequest, 'dataset' | 'parameters'> = {},
): ResolvedConfiguration {
  const dataset = resolveDataset(kind, preset, request.dataset);
  const parameters = resolveParameters(kind, preset, request.parameters);
  const content = { kind: kind.kind, kindVersion: kind.version, dataset, parameters };
  const identity = { ...content, dataset: dataset === null ? null : selectionIdentity(dataset) };
  return { ...content, hash: stableHash(identity) };
}

/** Whether a hash is that of a configuration's content, as an experiment's or as an external run's has it. */
export function isHashOf(
  hash: string,
  content: Omit<ResolvedConfiguration, 'hash' | 'dataset'> & { dataset: unknown },
) {
  if (stableHash(content) === hash) return true;
  const selection = datasetSelectionSchema.safeParse(content.dataset);
  return selection.success && stableHash({ ...content, dataset: selectionIdentity(selection.data) }) === hash;
}

/** The JSON Schema of a kind's parameters, as they may be given: what has a default is not required. */
export function parametersJsonSchema(kind: KindDefinition): Record<string, unknown> {
  return { ...z.toJSONSchema(kind.parameters, { io: 'input' }) };
}
