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

export const UNSORTABLE: ReadonlySet<string> = new Set(['tags', 'configuration']);

const DEFAULT_FIELDS: readonly RunField[] = [
  'name',
  'state',
  'progress',
  'kind',
  'dataset',
  'seed',
  'duration',
  'created',
];
const DEFAULT_METRICS = 4;

/** The columns to show: those of the address, or the default ones with the main metrics that the runs have. */
export function chooseColumns(
  wanted: string | undefined,
  available: { metrics: readonly string[] } | undefined,
  kinds: readonly ExperimentKind[] | undefined,
): string[] {
  if (wanted !== undefined) return [...new Set(readList(wanted).map(canonicalColumn))];
  const primary = new Set(kinds?.map((kind) => kind.primaryMetric));
  const metrics = (available?.metrics ?? []).filter((name) => primary.has(name)).slice(0, DEFAULT_METRICS);
  const [before, after] = [DEFAULT_FIELDS.slice(0, 6), DEFAULT_FIELDS.slice(6)];
  return [...before, ...metrics.map(metricColumn), ...after];
}

export function isRunField(column: string): column is RunField {
  return (RUN_FIELDS as readonly string[]).includes(column);
}
