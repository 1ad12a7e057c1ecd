import type { ExperimentKind } from '#web/api/useCatalog.ts';
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
  const primary = new Set(kinds?.map((kind) => kind.primaryMetric));
  const metrics = (available?.metrics ?? []).filter((name) => primary.has(name)).slice(0, DEFAULT_METRICS);
  const varying = (available?.varying ?? []).filter((path) => !path.startsWith('dataset.')).slice(0, MOST_VARYING);
  return [
    ...['name', 'state', 'progress'],
    ...(available?.kinds.length === 1 ? [] : ['kind']),
    ...(available?.datasets.length === 0 ? [] : ['dataset']),
    ...varying.map((path) => `config.${path}`),
    'seed',
    ...metrics.map(metricColumn),
    ...['duration', 'created'],
  ];
}

export function isRunField(column: string): column is RunField {
  return (RUN_FIELDS as readonly string[]).includes(column);
}
