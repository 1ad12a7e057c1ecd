import type { MetricDirection } from '#src/catalog/kind.ts';
import { canonicalJson } from '#src/base/lib/stableHash.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { type GroupData, selectGroupData } from '#src/runs/store/datasetsOfMetrics.ts';
import type { Grouping } from '#src/runs/store/groupedRunsSql.ts';
import { selectRunGroups } from '#src/runs/store/runGroups.ts';
import type { RunSelection } from '#src/runs/store/runPage.ts';
import { type DataLeaves, dataFieldWords, dataLeaves, differingFields } from '#src/base/lib/differingData.ts';
import type { SummedMetric } from './grouping.ts';
import type { UnlikeData } from './unlikeData.ts';

/** Which groups of runs compare, where the runs of some saw other data than those of others. */
export interface LikeGroups {
  /** Whether data differ in a metric at all; where they do not, all groups compare. */
  isUnlike(metric: number): boolean;
  /** Whether of the groups that saw the same data none has a better mean, and there are others. */
  isBest(metric: number, key: string): boolean;
  /** Why a group does not compare with another; null where it does. */
  whyNot(metric: number, key: string, other: string): string | null;
}

/** What the runs of a group saw: one kind of data, several, or data that they do not name. */
type Seen = { data: DataLeaves } | { differs: string[] } | { unnamed: true };

/** More are not told apart: no group of theirs is the best then. */
const MOST_GROUPS = 1_000;

/**
 * Which groups compare; null where all do.
 * @param differing What `findUnlikeData` says of the same runs and metrics.
 */
export async function likeGroups(
  connection: Connection,
  selection: RunSelection,
  {
    grouping,
    metrics,
    differing,
  }: { grouping: Grouping; metrics: readonly SummedMetric[]; differing: readonly UnlikeData[] },
): Promise<LikeGroups | null> {
  const unlike = new Set(differing.map(({ metric }) => metric));
  if (unlike.size === 0) return null;
  const order = { by: 'key', value: 0, descending: false } as const;
  const range = { order, after: null, first: MOST_GROUPS, quantiles: [] };
  const { groups, groupCount } = await selectRunGroups(connection, selection, { grouping, range });
  const rows = groupCount > MOST_GROUPS ? [] : await selectGroupData(connection, selection, grouping);
  const means = new Map(groups.map(({ position, values }) => [position.key, values.map(({ mean }) => mean)]));
  const sides = metrics.map(({ direction }, metric) => {
    const seen = seenByGroups(rows, metric);
    return { seen, direction, kinds: kindsOfData(seen, { direction, meanOf: (key) => means.get(key)?.[metric] }) };
  });
  const isUnlike = (metric: number) => unlike.has(metrics[metric]!.name);
  return {
    isUnlike,
    whyNot: (metric, key, other) => {
      const { seen } = sides[metric]!;
      return isUnlike(metric) ? whyUnlike(seen.get(key), seen.get(other)) : null;
    },
    isBest: (metric, key) => {
      const { seen, kinds, direction } = sides[metric]!;
      const [ours, mean] = [seen.get(key), means.get(key)?.[metric]];
      if (direction === null || mean == null || ours === undefined || !('data' in ours)) return false;
      const alike = kinds.filter(({ data }) => data === ours.data || differingFields([data, ours.data]).length === 0);
      const count = alike.reduce((sum, kind) => sum + kind.groups, 0);
      return count > 1 && alike.every(({ best }) => (direction === 'higher' ? best <= mean : best >= mean));
    },
  };
}

/** Groups that saw the same. */
interface KindOfData {
  data: DataLeaves;
  /** Those with a finite mean. */
  groups: number;
  best: number;
}

function kindsOfData(
  seen: ReadonlyMap<string, Seen>,
  { direction, meanOf }: { direction: MetricDirection | null; meanOf(key: string): number | null | undefined },
): KindOfData[] {
  const kinds = new Map<string, KindOfData>();
  const better = direction === 'lower' ? Math.min : Math.max;
  for (const [key, one] of seen) {
    const mean = meanOf(key);
    if (!('data' in one) || mean == null || !Number.isFinite(mean)) continue;
    const text = canonicalJson(Object.fromEntries(one.data));
    const kind = kinds.get(text) ?? { data: one.data, groups: 0, best: mean };
    kinds.set(text, { ...kind, groups: kind.groups + 1, best: better(kind.best, mean) });
  }
  return [...kinds.values()];
}

function seenByGroups(rows: readonly GroupData[], metric: number): Map<string, Seen> {
  const datasets = new Map<string, GroupData['dataset'][]>();
  for (const { key, dataset, has } of rows) {
    if (has[metric] === true) datasets.set(key, [...(datasets.get(key) ?? []), dataset]);
  }
  return new Map([...datasets].map(([key, found]) => [key, seenOf(found)]));
}

function seenOf(datasets: readonly GroupData['dataset'][]): Seen {
  const leaves = datasets.flatMap((dataset) => (dataset === null ? [] : [dataLeaves(dataset)]));
  const differs = differingFields(leaves);
  if (differs.length > 0) return { differs };
  // some of its runs may have seen anything
  if (leaves.length < datasets.length) return { unnamed: true };
  return { data: new Map(leaves.flatMap((one) => [...one])) };
}

function whyUnlike(ours: Seen | undefined, theirs: Seen | undefined): string | null {
  if (ours === undefined || theirs === undefined) return null; // without values there is nothing to compare
  if ('differs' in ours) return `its runs saw different data (${dataFieldWords(ours.differs)})`;
  if ('differs' in theirs) return `the baseline’s runs saw different data (${dataFieldWords(theirs.differs)})`;
  if ('unnamed' in ours) return 'its runs do not name their data';
  if ('unnamed' in theirs) return 'the baseline’s runs do not name their data';
  const fields = differingFields([ours.data, theirs.data]);
  return fields.length === 0 ? null : `other data than the baseline (${dataFieldWords(fields)})`;
}
