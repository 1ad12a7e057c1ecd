import { Prisma } from '#src/generated/prisma/client.ts';
import { assertNever } from '#src/base/lib/assertNever.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { databaseText } from '#src/base/database/databaseText.ts';
import { idRow, queryPage } from '#src/base/database/queryRows.ts';
import { compareSql, type SearchOperator, type SearchValue } from './comparisonSql.ts';
import { TRACKED_FROM } from './trackedRun.ts';

export const RUN_ATTRIBUTES = [
  'run_id',
  'run_name',
  'user_id',
  'status',
  'start_time',
  'end_time',
  'artifact_uri',
] as const;
export type RunAttribute = (typeof RUN_ATTRIBUTES)[number];

/** A field of a run in MLflow's search language. */
export type TrackedField =
  | { type: 'attribute'; key: RunAttribute }
  | { type: 'metric' | 'parameter' | 'tag'; key: string }
  | { type: 'dataset'; key: 'name' | 'digest' | 'context' };

export interface TrackedCondition {
  field: TrackedField;
  operator: SearchOperator;
  value: SearchValue;
}

export interface TrackedOrder {
  field: Exclude<TrackedField, { type: 'dataset' }>;
  ascending: boolean;
}

export interface TrackedSearch {
  experimentNumbers: readonly number[];
  conditions: readonly TrackedCondition[];
  order: readonly TrackedOrder[];
  /** Null: in the trash or not. */
  inTrash: boolean | null;
  offset: number;
  limit: number;
}

const STATUS = Prisma.sql`(CASE run.state WHEN 'RUNNING' THEN
    CASE WHEN run.reported_status = 'SCHEDULED' THEN 'SCHEDULED' ELSE 'RUNNING' END
  WHEN 'SUCCEEDED' THEN 'FINISHED' WHEN 'WAITING' THEN 'SCHEDULED' WHEN 'QUEUED' THEN 'SCHEDULED'
  WHEN 'CANCELLED' THEN 'KILLED' WHEN 'PRUNED' THEN 'KILLED' ELSE 'FAILED' END)`;
const RUN_ID = Prisma.sql`replace(run.id::text, '-', '')`;
const ATTRIBUTES: Readonly<Record<RunAttribute, Prisma.Sql>> = {
  run_id: Prisma.sql`${RUN_ID} COLLATE "C"`,
  run_name: Prisma.sql`run.name COLLATE "C"`,
  user_id: Prisma.sql`coalesce(run.user_name, '') COLLATE "C"`,
  status: Prisma.sql`${STATUS} COLLATE "C"`,
  start_time: Prisma.sql`(extract(epoch FROM coalesce(run.started_at, run.created_at)) * 1000)::float8`,
  end_time: Prisma.sql`(extract(epoch FROM run.ended_at) * 1000)::float8`,
  artifact_uri: Prisma.sql`(coalesce(project.artifact_location, 'mlflow-artifacts:/' || project.number) || '/' || ${RUN_ID}
    || '/artifacts') COLLATE "C"`,
};

function parameterSql(key: string): Prisma.Sql {
  const name = databaseText(key);
  return Prisma.sql`(CASE WHEN run.parameter_texts IS NULL
    THEN configuration.parameters #>> string_to_array(${name}::text, '.')
    ELSE run.parameter_texts ->> ${name}::text END) COLLATE "C"`;
}

function tagSql(key: string): Prisma.Sql {
  return Prisma.sql`(run.environment -> 'tags' ->> ${databaseText(key)}::text) COLLATE "C"`;
}

function conditionSql({ field, operator, value }: TrackedCondition): Prisma.Sql {
  switch (field.type) {
    case 'attribute':
      return compareSql(ATTRIBUTES[field.key], operator, value);
    case 'parameter':
      return compareSql(parameterSql(field.key), operator, value);
    case 'tag':
      return compareSql(field.key === 'mlflow.runName' ? ATTRIBUTES.run_name : tagSql(field.key), operator, value);
    case 'metric': {
      const compared = compareSql(Prisma.sql`series.last_value`, operator, value);
      // NaN differs from every number, and is neither less nor greater than any
      const test = operator === '!=' ? compared : Prisma.sql`${compared} AND series.last_value <> 'NaN'`;
      // as a value, not as a condition that becomes a join: PostgreSQL would compare each run with each series
      return Prisma.sql`(EXISTS (SELECT FROM metric_series series WHERE series.run_id = run.id
        AND series.name = ${databaseText(field.key)} AND series.point_count > 0 AND ${test}) IS TRUE)`;
    }
    case 'dataset': {
      const column =
        field.key === 'context' ? Prisma.sql`input.tags ->> 'mlflow.data.context'` : Prisma.raw(`input.${field.key}`);
      return Prisma.sql`EXISTS (SELECT FROM dataset_input input WHERE input.run_id = run.id
        AND ${compareSql(Prisma.sql`(${column}) COLLATE "C"`, operator, value)})`;
    }
    default:
      return assertNever(field);
  }
}

/**
 * What runs are sorted by, those without a value last, and before them those whose value is NaN. A metric is joined, so that its
 * values are read once, together.
 * @param place Among the orders, for a name of its own.
 */
function orderSql({ field, ascending }: TrackedOrder, place: number): { join: Prisma.Sql; by: Prisma.Sql[] } {
  const direction = Prisma.raw(ascending ? 'ASC' : 'DESC');
  if (field.type === 'metric') {
    const series = Prisma.raw(`ordering_${place}`);
    return {
      join: Prisma.sql`LEFT JOIN metric_series ${series} ON ${series}.run_id = run.id
        AND ${series}.name = ${databaseText(field.key)} AND ${series}.point_count > 0`,
      by: [
        Prisma.sql`CASE WHEN ${series}.last_value IS NULL THEN 2 WHEN ${series}.last_value = 'NaN' THEN 1 ELSE 0 END`,
        Prisma.sql`${series}.last_value ${direction}`,
      ],
    };
  }
  const value = textOrNumberSql(field);
  const by = [Prisma.sql`CASE WHEN ${value} IS NULL THEN 1 ELSE 0 END`, Prisma.sql`${value} ${direction}`];
  return { join: Prisma.empty, by };
}

function textOrNumberSql(field: Exclude<TrackedOrder['field'], { type: 'metric' }>): Prisma.Sql {
  if (field.type === 'attribute') return ATTRIBUTES[field.key];
  return field.type === 'parameter' ? parameterSql(field.key) : tagSql(field.key);
}

/** Ids of the runs that meet all conditions, in the order asked for, then the newest first. */
export async function searchTrackedRuns(connection: Connection, search: TrackedSearch): Promise<string[]> {
  const tests = search.conditions.map(conditionSql);
  tests.push(Prisma.sql`project.number = ANY(${`{${search.experimentNumbers.join(',')}}`}::int[])`);
  if (search.inTrash !== null) tests.push(Prisma.sql`(run.deleted_at IS NOT NULL) = ${search.inTrash}`);
  const orders = search.order.map(orderSql);
  const joins = Prisma.join([Prisma.empty, ...orders.map(({ join }) => join)], ' ');
  const order = orders.flatMap(({ by }) => by);
  if (!search.order.some(({ field }) => field.key === 'start_time' && field.type === 'attribute')) {
    order.push(Prisma.sql`${ATTRIBUTES.start_time} DESC`);
  }
  const rows = await queryPage(connection, idRow)`
    SELECT run.id ${TRACKED_FROM} ${joins} WHERE ${Prisma.join(tests, ' AND ')}
    ORDER BY ${Prisma.join([...order, Prisma.sql`run.id`])} OFFSET ${search.offset}::int8 LIMIT ${search.limit}::int8`;
  return rows.map(({ id }) => id);
}
