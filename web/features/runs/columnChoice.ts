import type { ExperimentKind } from '#web/features/shared/useCatalog.ts';
import { compareHeadlines, OWN_PROGRAMS } from '#src/base/lib/headlineMetrics.ts';
import { readList } from '#web/lib/listInUrl.ts';
import { canonicalColumn, metricColumn } from '#web/lib/runColumn.ts';

/** Columns that every run has. Ids are the API's sort keys, where it can sort by them. */
export const RUN_FIELDS = [
  'name',
  'state',
  'progress',
  'kind',
  'dataset',
  'headline',
  'seed',
  'duration',
  'created',
  'started',
  'ended',
  'project',
  'user',
  'tags',
  'notes',
  'configuration',
  'attempt',
  'priority',
] as const;
export type RunField = (typeof RUN_FIELDS)[number];

/** Further columns of `warren ls`: the number stands before each row here, and the id is the run's address. */
export const TERMINAL_FIELDS: ReadonlySet<string> = new Set(['number', 'id']);

export const UNSORTABLE: ReadonlySet<string> = new Set(['tags', 'notes', 'configuration', 'headline']);

const MOST_VARYING = 4;
const DEFAULT_METRICS = 4;
/** Runs of so many kinds have no metric that all of them have: each shows the one that tells most of it. */
const MIXED_KINDS = 3;
const MOST_OWN_METRICS = 2;
/** Metrics of programs of one's own that are read to see which of them the first runs have. */
const MOST_CANDIDATES = 12;
/** Where runs of other kinds have metrics of their own beside them, those fill the first places. */
const MOST_MIXED_CANDIDATES = 30;
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

/** The first runs of a table, as far as they decide which columns it has without a word. */
export interface FirstRuns {
  /** Kinds that they have, the most frequent first. */
  kinds: readonly string[];
  hasDataset: boolean;
  /** Whether they are of several people. */
  severalUsers: boolean;
  /** Metrics of which one of them has a value, among those that were read. */
  metrics: ReadonlySet<string>;
  /** Those that half of them have. */
  commonMetrics: ReadonlySet<string>;
  /** Those that a run of a program of one's own has. */
  ownMetrics: ReadonlySet<string>;
  /** Paths of the configuration at which they are not all alike. */
  varying: ReadonlySet<string>;
}

export interface ColumnOptions {
  kinds: KnownKinds | undefined;
  /** The first runs of the table; null where they are not known. */
  first: FirstRuns | null;
  /** Whether the window is a phone's, in which what a run has reached must stand beside its state. */
  narrow?: boolean;
}

/**
 * The columns to show: those of the address, or by default what the runs have reached and then what tells them apart. A kind
 * that all have, datasets and metrics that none has, and parameters in which none differs take no place.
 */
export function chooseColumns(
  wanted: string | undefined,
  available: AvailableColumns | undefined,
  { kinds, first, narrow = false }: ColumnOptions,
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
  ].filter((path) => first === null || first.varying.has(path));
  const isMixed = first !== null && first.kinds.length >= MIXED_KINDS;
  const shown = isMixed ? first.commonMetrics : first?.metrics;
  const experiment = [
    ...((first?.kinds ?? available?.kinds)?.length === 1 ? [] : ['kind']),
    ...(available?.datasets.length === 0 || first?.hasDataset === false ? [] : ['dataset']),
  ];
  const reached = [
    ...(isMixed && differInHeadline(first.kinds, kinds) ? ['headline'] : []),
    ...usualMetrics(available, kinds, first)
      .filter((name) => shown?.has(name) ?? true)
      .slice(0, DEFAULT_METRICS)
      .map(metricColumn),
  ];
  return [
    ...['name', 'state'],
    ...(narrow ? [...reached, ...experiment] : [...experiment, ...reached]),
    ...byUse.slice(0, MOST_VARYING).map((path) => `config.${path}`),
    ...['seed', 'duration', 'created'],
    ...(first?.severalUsers === true ? ['user'] : []),
  ];
}

/** Whether runs of these kinds are told of by different metrics; else the column of that metric says all. */
function differInHeadline(found: readonly string[], kinds: KnownKinds | undefined): boolean {
  const primaryOf = new Map(kinds?.map(({ kind, primaryMetric }) => [kind, primaryMetric]));
  return found.some((kind) => OWN_PROGRAMS.has(kind)) || new Set(found.map((kind) => primaryOf.get(kind))).size > 1;
}

type KnownKinds = readonly Pick<ExperimentKind, 'kind' | 'primaryMetric'>[];

/**
 * Metrics that may be shown without a word, those that tell most first: the primary ones of the kinds that runs have; where
 * programs of one's own are among them, also what tells most of those.
 * @param first The first runs of the table: their kinds' metrics stand first, and of the others those that their programs logged.
 */
export function usualMetrics(
  available: AvailableColumns | undefined,
  kinds: KnownKinds | undefined,
  first: Pick<FirstRuns, 'kinds' | 'ownMetrics'> | null = null,
): string[] {
  if (available === undefined) return [];
  const found = primariesOf(available, kinds, first?.kinds ?? []);
  const own = ownCandidates(available, found);
  return [...found, ...own.filter((name) => first?.ownMetrics.has(name) ?? true).slice(0, MOST_OWN_METRICS)];
}

/** Metrics that are read with the runs, so that it is known which of them make columns. */
export function candidateMetrics(available: AvailableColumns | undefined, kinds: KnownKinds | undefined): string[] {
  if (available === undefined) return [];
  const found = primariesOf(available, kinds, []);
  const isMixed = available.kinds.some((kind) => !OWN_PROGRAMS.has(kind));
  return [...found, ...ownCandidates(available, found).slice(0, isMixed ? MOST_MIXED_CANDIDATES : MOST_CANDIDATES)];
}

function primariesOf(
  available: AvailableColumns,
  kinds: KnownKinds | undefined,
  order: readonly string[],
): Set<string> {
  const primaryOf = new Map(kinds?.map(({ kind, primaryMetric }) => [kind, primaryMetric]));
  const primaries = (of: readonly string[]) =>
    of.filter((kind) => !OWN_PROGRAMS.has(kind)).flatMap((kind) => primaryOf.get(kind) ?? []);
  const known = new Set(available.metrics);
  const found = [...primaries(order), ...primaries(available.kinds).sort(compareHeadlines(null))];
  return new Set(found.filter((name) => known.has(name)));
}

/** What programs of one's own may have logged beside the primary metrics, by how much it tells. */
function ownCandidates({ kinds, metrics }: AvailableColumns, primaries: ReadonlySet<string>): string[] {
  if (!kinds.some((kind) => OWN_PROGRAMS.has(kind))) return [];
  return metrics.filter((name) => !primaries.has(name) && !/^(time|system)\//.test(name)).sort(compareHeadlines(null));
}

/**
 * What runs of these kinds have, as far as that decides columns: their primary metrics, and what programs of one's own logged.
 * @param own Metrics that runs of such programs have.
 */
export function firstOfKinds(
  kindsThere: readonly string[],
  { varying }: Pick<AvailableColumns, 'varying'>,
  { kinds, own }: { kinds: KnownKinds; own: ReadonlySet<string> },
): FirstRuns {
  const primaries = kinds.flatMap(({ kind, primaryMetric }) =>
    kindsThere.includes(kind) ? (primaryMetric ?? []) : [],
  );
  const shown = new Set([...primaries, ...own]);
  return {
    ...{ kinds: kindsThere, hasDataset: true, severalUsers: false, metrics: shown, commonMetrics: shown },
    ownMetrics: own,
    varying: new Set(varying),
  };
}

export function isRunField(column: string): column is RunField {
  return (RUN_FIELDS as readonly string[]).includes(column);
}
