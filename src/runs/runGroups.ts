import type { MetricDirection } from '#src/catalog/kind.ts';
import { badInput } from '#src/base/contracts/errors.ts';
import { isBarePath } from '#src/base/contracts/runFilter/groupField.ts';
import { fieldsNamed } from '#src/base/contracts/runFilter/meantFields.ts';
import { printField } from '#src/base/contracts/runFilter/print.ts';
import { didYouMean } from '#src/base/lib/nearNames.ts';
import { studentQuantile } from '#src/statistics/studentQuantile.ts';
import { listDirectionRules } from '#src/metrics/store/metricDefinition.ts';
import {
  countRunGroups,
  type GroupPage,
  type GroupRow,
  selectRunGroups,
  AGGREGATES,
  type Aggregate,
  type GroupOrder,
  type GroupPosition,
} from '#src/runs/store/runGroups.ts';
import type { Connection } from '#src/base/database/connection.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { testGroups } from './groupTests.ts';
import { type GroupTest, type GroupingInput, parseGrouping, type SummedMetric } from './grouping.ts';
import { encodeGroupId } from './groupId.ts';
import { likeGroups } from './likeGroups.ts';
import { z } from 'zod';
import { parseDatabaseJson } from '#src/base/database/databaseText.ts';
import { agreedDirection, standingRules } from '../metrics/metricDefinitions.ts';
import { checkedPage, type ListRunsInput, resolveSelection } from './listRuns.ts';
import { findUnlikeData } from './unlikeData.ts';
import { usedConfigurations } from './usedConfigurations.ts';

type GroupOrderBy = 'runs' | 'group' | Aggregate;

interface GroupOrderInput {
  by: GroupOrderBy;
  /** Which of the metrics an aggregate is of, from 0. */
  metric?: number | undefined;
  direction?: 'ASC' | 'DESC' | undefined;
}

/** @throws WarrenError BAD_INPUT for an aggregate of a metric that is not asked for. */
function parseGroupOrder(input: GroupOrderInput | null, metrics: readonly SummedMetric[]): GroupOrder {
  if (input === null) {
    if (metrics.length === 0) return { by: 'runs', value: 0, descending: true };
    return { by: 'mean', value: 0, descending: metrics[0]!.direction !== 'lower' };
  }
  const descending = (input.direction ?? 'DESC') === 'DESC';
  if (input.by === 'runs') return { by: 'runs', value: 0, descending };
  if (input.by === 'group') return { by: 'key', value: 0, descending };
  const value = input.metric ?? 0;
  if (!AGGREGATES.includes(input.by) || metrics[value] === undefined) {
    const message = `orderBy.metric: there is no metric ${value}; metrics has ${metrics.length}, counted from 0`;
    throw badInput(message, 'orderBy.metric');
  }
  return { by: input.by, value, descending };
}

const number = z.union([
  z.literal(['Infinity', '-Infinity']),
  z.string().refine((text) => text.trim() !== '' && Number.isFinite(Number(text))),
]);
const cursorSchema = z.strictObject({ o: z.string(), p: number.nullable(), k: z.string() });

/** An opaque cursor. @param order Names the order and the grouping, so that the cursor is refused in others. */
function encodeGroupPosition(order: string, { place, key }: GroupPosition): string {
  return Buffer.from(JSON.stringify({ o: order, p: place, k: key })).toString('base64url');
}

/** @throws WarrenError BAD_INPUT when the cursor is none, or belongs to another order or grouping. */
function decodeGroupPosition(cursor: string, order: string): GroupPosition {
  const parsed = cursorSchema.safeParse(parseJson(Buffer.from(cursor, 'base64url').toString()));
  if (!parsed.success || !Array.isArray(parseDatabaseJson(parsed.data.k))) {
    throw badInput(`after: "${cursor.slice(0, 40)}" is not a cursor; give the endCursor of an earlier page`, 'after');
  }
  if (parsed.data.o !== order) {
    throw badInput('after: this cursor belongs to a page in another order; start again without it', 'after');
  }
  return { place: parsed.data.p, key: parsed.data.k };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export interface RunGroupsInput extends Pick<ListRunsInput, 'project' | 'filter' | 'inTrash'>, GroupingInput {
  /** By the first metric's mean, the best first, when left out; without metrics the largest group first. */
  orderBy?: GroupOrderInput | null | undefined;
  /** 0 to 500, default 50. */
  first?: number | null | undefined;
  after?: string | null | undefined;
  /** Id of a group, or id or number of a run in it, that the others are tested against. */
  baseline?: string | null | undefined;
}

/** One metric over the runs of a group that have it. */
export interface GroupStatistics {
  name: string;
  direction: MetricDirection | null;
  n: number;
  mean: number | null;
  /** Of the sample; null for fewer than two values, as all that follows from it. */
  standardDeviation: number | null;
  standardError: number | null;
  /** Ends of the 95 % confidence interval of the mean, by Student's distribution. */
  low: number | null;
  high: number | null;
  minimum: number | null;
  maximum: number | null;
  /** Whether no group has a better mean; where data differ, none that saw the same. */
  isBest: boolean;
  /** Null without a baseline, and for the baseline itself. */
  test: GroupTest | null;
}

/** Runs that share the values of the fields that they are grouped by. */
export interface RunGroup {
  id: string;
  /** One a field, in their order; null where the runs have none. */
  values: unknown[];
  runCount: number;
  /** The configuration that all of them share; null where they do not. */
  configurationHash: string | null;
  isBaseline: boolean;
  metrics: GroupStatistics[];
}

/** A page of a connection, as Relay draws it. */
export interface RunGroupPage {
  /** As the filter language names them. */
  fields: string[];
  metrics: (SummedMetric & {
    /** The rules but the last value by which a value of a run stands for the metric, where that is what is summed up. */
    summaryRules: ReturnType<typeof standingRules>;
  })[];
  edges: { cursor: string; node: RunGroup }[];
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string | null; endCursor: string | null };
  totalCount: number;
  /** Runs in all groups. */
  runCount: number;
  /** The id of the group that the others are tested against. */
  baselineId: string | null;
}

const LEVEL = 0.95;
const LISTED_QUANTILES = 500;
/** Different sets of definitions of metrics that are asked which way a metric is better. */
const MOST_RULES = 200;
/** In which a path is looked for that no matching run has. */
const MOST_CONFIGURATIONS = 2_000;
let listed: number[] | undefined;

/**
 * The runs that meet a filter, all of them, grouped by what they share, with metrics summed up over each group; with a
 * baseline also whether each group is better, over their seeds.
 * @throws WarrenError BAD_INPUT for a filter, field, metric, order, cursor or baseline that cannot be; NOT_FOUND for an
 * unknown project; TOO_LARGE for more groups than are tested at once.
 */
export async function runGroups(context: Pick<ServiceContext, 'db'>, input: RunGroupsInput): Promise<RunGroupPage> {
  const first = checkedPage(input.first);
  const selection = await resolveSelection(context, input);
  const rules = await listDirectionRules(context.db, selection, MOST_RULES);
  const { grouping, metrics } = parseGrouping(input, (name) => agreedDirection(rules, name));
  const order = parseGroupOrder(input.orderBy ?? null, metrics);
  const orderName = JSON.stringify([order, grouping]);
  const after = input.after == null ? null : decodeGroupPosition(input.after, orderName);
  const quantiles = order.by === 'low' || order.by === 'high' ? quantileList() : [];
  const names = metrics.map(({ name }) => name);
  const [page, differing] = await Promise.all([
    selectRunGroups(context.db, selection, { grouping, range: { order, after, first: first + 1, quantiles } }),
    findUnlikeData(context.db, selection, names),
  ]);
  if (after === null && page.groups.length <= first) {
    const meant = await meantPaths(context.db, selection.projectId, input.groupBy, page.groups);
    if (meant !== null) return await runGroups(context, { ...input, groupBy: meant });
  }
  const counts = page.groups.length > 0 ? page : await countRunGroups(context.db, selection, grouping);
  const shown = page.groups.slice(0, first);
  const like = await likeGroups(context.db, selection, { grouping, metrics, differing });
  const tested = await testGroups(context.db, selection, {
    grouping,
    metrics,
    like,
    baseline: input.baseline ?? null,
    groupCount: counts.groupCount,
    shown: shown.map(({ position }) => position.key),
  });
  const edges = shown.map((row) => {
    const { key } = row.position;
    const node: RunGroup = {
      id: encodeGroupId({ fields: grouping.fields, key }),
      values: valuesOf(key),
      runCount: row.runCount,
      configurationHash: row.configurationHash,
      isBaseline: key === tested?.baselineKey,
      metrics: metrics.map((metric, index) => ({
        ...statisticsOf(metric, { row, page, index }),
        ...(like?.isUnlike(index) === true && { isBest: like.isBest(index, key) }),
        test: tested?.tests.get(key)?.[index] ?? null,
      })),
    };
    return { cursor: encodeGroupPosition(orderName, row.position), node };
  });
  return {
    fields: grouping.fields.map(printField),
    metrics: metrics.map((metric) => {
      const isStanding = metric.at === 'LAST' && metric.bestOf === null;
      return { ...metric, summaryRules: isStanding ? standingRules(rules, metric.name) : [] };
    }),
    edges,
    pageInfo: {
      hasNextPage: page.groups.length > first,
      hasPreviousPage: after !== null,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
    totalCount: counts.groupCount,
    runCount: counts.runCount,
    baselineId: tested === null ? null : encodeGroupId({ fields: grouping.fields, key: tested.baselineKey }),
  };
}

/**
 * A path of parameters that no run has is the one that alone ends so, as `lr` for `optimizer.lr`, or rather a slip than a question.
 * @returns the paths that are meant, null where all are found.
 * @throws WarrenError BAD_INPUT that says what may have been meant.
 */
async function meantPaths(
  connection: Connection,
  projectId: string | null,
  groupBy: readonly string[],
  groups: readonly GroupRow[],
): Promise<string[] | null> {
  const meant = [...groupBy];
  for (const [index, text] of groupBy.entries()) {
    const isFound = groups.some(({ position }) => valuesOf(position.key)[index] !== null);
    if (isFound || groups.length === 0 || !isBarePath(text)) continue;
    const { paths } = await usedConfigurations(connection, projectId, MOST_CONFIGURATIONS);
    const known = paths.map((path) => path.replace(/^parameters\./, ''));
    if (known.some((path) => path === text || path.startsWith(`${text}.`))) continue;
    const path = `groupBy[${index}]`;
    const ending = fieldsNamed({ metrics: [], texts: [], configuration: paths })(text);
    if (ending.length > 1) throw badInput(`${path}: "${text}" may be ${ending.join(', ')}: write one of them`, path);
    if (ending.length === 1) {
      meant[index] = ending[0]!;
      continue;
    }
    throw badInput(`${path}: no run has a parameter "${text}".${didYouMean(text, known)}`, path);
  }
  return meant.some((text, index) => text !== groupBy[index]) ? meant : null;
}

function statisticsOf(
  { name, direction }: SummedMetric,
  { row, page, index }: { row: GroupRow; page: GroupPage; index: number },
): Omit<GroupStatistics, 'test'> {
  const { n, mean, deviation, minimum, maximum } = row.values[index]!;
  const standardError = deviation === null ? null : deviation / Math.sqrt(n);
  const reach = standardError === null ? null : standardError * studentQuantile(LEVEL, n - 1);
  const best = direction === null ? null : direction === 'higher' ? page.greatestMeans[index] : page.leastMeans[index];
  return {
    name,
    direction,
    n,
    mean,
    standardDeviation: deviation,
    standardError,
    low: mean === null || reach === null ? null : mean - reach,
    high: mean === null || reach === null ? null : mean + reach,
    minimum,
    maximum,
    isBest: mean !== null && mean === best && page.groupCount > 1,
  };
}

function valuesOf(key: string): unknown[] {
  const values: unknown = JSON.parse(key);
  return Array.isArray(values) ? values : [];
}

function quantileList(): number[] {
  listed ??= Array.from({ length: LISTED_QUANTILES }, (_, index) => studentQuantile(LEVEL, index + 1));
  return listed;
}
