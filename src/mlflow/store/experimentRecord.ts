import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { Prisma } from '#src/generated/prisma/client.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { databaseJson, databaseText } from '#src/base/database/databaseText.ts';
import { queryRows, timestamp } from '#src/base/database/queryRows.ts';
import { compareSql, type SearchOperator, type SearchValue } from './comparisonSql.ts';

/** A project as MLflow's clients see it. */
const experimentRow = z.object({
  projectId: z.string(),
  /** MLflow's id: 0 for `Default`. */
  number: z.int(),
  name: z.string(),
  tags: z.record(z.string(), z.string()),
  artifactLocation: z.string().nullable(),
  deletedAt: timestamp.nullable(),
  createdAt: timestamp,
  updatedAt: timestamp,
});
export type ExperimentRecord = z.infer<typeof experimentRow>;

const COLUMNS = Prisma.sql`project.id AS "projectId", project.number, project.name, project.tags,
  project.artifact_location AS "artifactLocation", project.deleted_at AS "deletedAt", project.created_at AS "createdAt",
  project.updated_at AS "updatedAt"`;

/** Name and number of the experiment that MLflow's clients expect to be there. */
const DEFAULT = { number: 0, name: 'Default' } as const;

/** MLflow's server makes `Default` at its first start. */
const BEFORE_ALL = Prisma.sql`coalesce(min(created_at) - interval '1 millisecond', now())`;

/** Makes `Default` when it is not there yet; a project of that name becomes it. */
export async function ensureDefaultExperiment(connection: Connection): Promise<void> {
  const found = await connection.project.findUnique({ where: { number: DEFAULT.number }, select: { id: true } });
  if (found !== null) return;
  await connection.$executeRaw`
    INSERT INTO project (id, number, name, created_at)
    SELECT ${randomUUID()}::uuid, ${DEFAULT.number}::int, ${DEFAULT.name}, ${BEFORE_ALL} FROM project
    ON CONFLICT (name) DO UPDATE SET number = excluded.number`;
}

/**
 * Projects as experiments; `Default` is among them before anybody has made it, so that readers find it, and older
 * than they are.
 */
const EXPERIMENTS = Prisma.sql`(
  SELECT id, name, tags, artifact_location, deleted_at, created_at, updated_at,
    CASE WHEN name = ${DEFAULT.name} AND NOT EXISTS (SELECT FROM project WHERE number = 0) THEN 0 ELSE number END AS number
  FROM project
  UNION ALL SELECT '00000000-0000-0000-0000-000000000000', ${DEFAULT.name}, '{}', NULL, NULL, since.time, since.time, 0
  FROM (SELECT ${BEFORE_ALL} AS time FROM project) since
  WHERE NOT EXISTS (SELECT FROM project WHERE number = 0 OR name = ${DEFAULT.name})
) project`;

/** The experiment of this number, deleted or not; it may be a `Default` that is not there yet. */
export async function findExperiment(connection: Connection, number: number): Promise<ExperimentRecord | null> {
  const rows = await queryRows(connection, experimentRow)`
    SELECT ${COLUMNS} FROM ${EXPERIMENTS} WHERE number = ${number}::int`;
  return rows[0] ?? null;
}

/** The experiment of this name, deleted or not. */
export async function findExperimentByName(connection: Connection, name: string): Promise<ExperimentRecord | null> {
  const rows = await queryRows(connection, experimentRow)`
    SELECT ${COLUMNS} FROM ${EXPERIMENTS} WHERE name = ${databaseText(name)}`;
  return rows[0] ?? null;
}

/** Makes an experiment; null when its name is taken. */
export async function insertExperiment(
  connection: Connection,
  { name, artifactLocation, tags }: Pick<ExperimentRecord, 'name' | 'artifactLocation' | 'tags'>,
): Promise<ExperimentRecord | null> {
  const rows = await queryRows(connection, experimentRow)`
    INSERT INTO project (id, name, artifact_location, tags)
    VALUES (${randomUUID()}::uuid, ${databaseText(name)},
      ${artifactLocation === null ? null : databaseText(artifactLocation)}, ${databaseJson(tags)}::jsonb)
    ON CONFLICT DO NOTHING RETURNING ${COLUMNS}`;
  return rows[0] ?? null;
}

/** Sets a tag of an experiment, or removes it (null). */
export async function setExperimentTag(
  connection: Connection,
  projectId: string,
  tag: { key: string; value: string | null },
): Promise<void> {
  const key = databaseText(tag.key);
  const change =
    tag.value === null
      ? Prisma.sql`tags - ${key}::text`
      : Prisma.sql`tags || ${databaseJson({ [key]: tag.value })}::jsonb`;
  await connection.$executeRaw`UPDATE project SET tags = ${change} WHERE id = ${projectId}::uuid`;
}

export type ExperimentField = 'name' | 'experiment_id' | 'creation_time' | 'last_update_time';

const FIELDS: Readonly<Record<ExperimentField, Prisma.Sql>> = {
  name: Prisma.sql`project.name COLLATE "C"`,
  experiment_id: Prisma.sql`project.number`,
  creation_time: Prisma.sql`(extract(epoch FROM project.created_at) * 1000)::int8`,
  last_update_time: Prisma.sql`(extract(epoch FROM project.updated_at) * 1000)::int8`,
};

export interface ExperimentCondition {
  field: { type: 'attribute'; name: ExperimentField } | { type: 'tag'; key: string };
  operator: SearchOperator;
  value: SearchValue;
}

export interface ExperimentSearch {
  conditions: readonly ExperimentCondition[];
  order: readonly { field: ExperimentField; ascending: boolean }[];
  /** Null: deleted or not. */
  deleted: boolean | null;
  offset: number;
  limit: number;
}

/** Experiments that meet all conditions, in the order asked for. */
export async function searchExperiments(connection: Connection, search: ExperimentSearch): Promise<ExperimentRecord[]> {
  const tests = search.conditions.map(({ field, operator, value }) =>
    compareSql(
      field.type === 'tag' ? Prisma.sql`(project.tags ->> ${field.key})` : FIELDS[field.name],
      operator,
      value,
    ),
  );
  if (search.deleted !== null) tests.push(Prisma.sql`(project.deleted_at IS NOT NULL) = ${search.deleted}`);
  const order = search.order.map(({ field, ascending }) =>
    ascending ? Prisma.sql`${FIELDS[field]} ASC` : Prisma.sql`${FIELDS[field]} DESC`,
  );
  return await queryRows(connection, experimentRow)`
    SELECT ${COLUMNS} FROM ${EXPERIMENTS} WHERE ${tests.length === 0 ? Prisma.sql`true` : Prisma.join(tests, ' AND ')}
    ORDER BY ${Prisma.join([...order, Prisma.sql`project.number DESC`])}
    OFFSET ${search.offset}::int8 LIMIT ${search.limit}::int8`;
}
