import type { ExperimentKind } from '#web/api/useCatalog.ts';
import { compareHeadlines } from '#src/lib/headlineMetrics.ts';
import { readList } from '#web/lib/listInUrl.ts';
import { canonicalColumn, metricColumn } from '#web/lib/runColumn.ts';

/** Columns that every run has. Ids are the API's sort keys, where it can sort by them. */
export const RUN_FIELDS = [
  'name',
  'state',
  'progress',
  'kind',
  'dataset',
  'seed',
  'duration',
  'created',
  'started',
  'ended',
  'project',
  'tags',
  'configuration',
  'attempt',
  'priority',
] as const;
export type RunField = (typeof RUN_FIELDS)[number];

/** Further columns of `warren ls`: the number stands before each row here, and the id is the run's address. */
export const TERMINAL_FIELDS: ReadonlySet<string> = new Set(['number', 'id']);

export const UNSORTABLE: ReadonlySet<string> = new Set(['tags', 'configuration']);

const MOST_VARYING = 4;
const DEFAULT_METRICS = 4;
const MOST_OWN_METRICS = 2;
/** Kinds whose metrics have the names that their programs give. */
const OWN_PROGRAMS: ReadonlySet<string> = new Set(['command', 'external']);
/** Parameters of every queued program, which tell less than its own. */
const OF_COMMANDS: ReadonlySet<string> = new Set(
  ['command', 'environment', 'folder'].map((name) => `parameters.${name}`),
);

export interface AvailableColumns {
  metrics: readonly string[];
  varying: readonly string[];
  kinds: readonly string[];
  datasets: readonly string[];
}

/**
 * The columns to show: those of the address, or by default what tells the runs apart and what they have reached. A kind that
 * all have, and datasets that none has, take no place.
 */
export function chooseColumns(
  wanted: string | undefined,
  available: AvailableColumns | undefined,
  kinds: readonly ExperimentKind[] | undefined,
): string[] {
  if (wanted !== undefined) {
    return [...new Set(readList(wanted).map(canonicalColumn))].filter((column) => !TERMINAL_FIELDS.has(column));
  }
  const varying = (available?.varying ?? []).filter(
    (path) => !path.startsWith('dataset.') && path !== 'parameters.code',
  );
  const byUse = [
    ...varying.filter((path) => !OF_COMMANDS.has(path)),
    ...varying.filter((path) => OF_COMMANDS.has(path)),
  ];
  return [
    ...['name', 'state', 'progress'],
    ...(available?.kinds.length === 1 ? [] : ['kind']),
    ...(available?.datasets.length === 0 ? [] : ['dataset']),
    ...byUse.slice(0, MOST_VARYING).map((path) => `config.${path}`),
    'seed',
    ...chooseMetrics(available, kinds).map(metricColumn),
    ...['duration', 'created'],
  ];
}

/** The primary metrics of the kinds that runs have; where programs of one's own are among them, also what tells most of those. */
function chooseMetrics(
  available: AvailableColumns | undefined,
  kinds: readonly ExperimentKind[] | undefined,
): readonly string[] {
  if (available === undefined) return [];
  const primaryOf = new Map(kinds?.map(({ kind, primaryMetric }) => [kind, primaryMetric]));
  const primary = new Set(available.kinds.filter((kind) => !OWN_PROGRAMS.has(kind)).map((kind) => primaryOf.get(kind)));
  const others = available.metrics.filter((name) => !primary.has(name) && !/^(time|system)\//.test(name));
  const hasOwn = available.kinds.some((kind) => OWN_PROGRAMS.has(kind));
  const found = available.metrics.filter((name) => primary.has(name));
  return [...found, ...(hasOwn ? others.sort(compareHeadlines(null)).slice(0, MOST_OWN_METRICS) : [])].slice(
    0,
    DEFAULT_METRICS,
  );
}

export function isRunField(column: string): column is RunField {
  return (RUN_FIELDS as readonly string[]).includes(column);
}
