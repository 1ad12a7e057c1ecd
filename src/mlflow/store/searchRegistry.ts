import { Prisma } from '#src/generated/prisma/client.ts';
import { assertNever } from '#src/base/lib/assertNever.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { databaseText } from '#src/base/database/databaseText.ts';
import { queryRows } from '#src/base/database/queryRows.ts';
import { ENTRY_COLUMNS, type EntryRecord, entryRow } from '#src/registry/store/entryRecord.ts';
import { VERSION_COLUMNS, type VersionRecord, versionRow } from '#src/registry/store/versionRecord.ts';
import { compareSql, type SearchOperator, type SearchValue } from './comparisonSql.ts';

/** What MLflow's clients find registered models and versions by. */
export type RegistryField =
  | { type: 'tag'; key: string }
  | { type: 'attribute'; key: 'name' | 'version_number' | 'run_id' | 'source_path' };

export interface RegistryCondition {
  field: RegistryField;
  operator: SearchOperator;
  value: SearchValue;
}

export type RegistryOrder = {
  field: 'name' | 'version_number' | 'creation_timestamp' | 'last_updated_timestamp';
  ascending: boolean;
};

export interface RegistrySearch {
  conditions: readonly RegistryCondition[];
  order: readonly RegistryOrder[];
  /** Prompts are registered models with a tag; null: whatever the conditions say. */
  withoutPrompts: boolean;
  offset: number;
  limit: number;
}

const PROMPT_TAG = 'mlflow.prompt.is_prompt';

function fieldSql(field: RegistryField, tags: Prisma.Sql): Prisma.Sql {
  if (field.type === 'tag') return Prisma.sql`(${tags} ->> ${databaseText(field.key)})`;
  const { key } = field;
  switch (key) {
    case 'name':
      return Prisma.sql`entry.name COLLATE "C"`;
    case 'version_number':
      return Prisma.sql`version.number`;
    case 'run_id':
      return Prisma.sql`(replace(version.run_id::text, '-', ''))`;
    case 'source_path':
      return Prisma.sql`version.source`;
    default:
      return assertNever(key);
  }
}

function whereSql({ conditions, withoutPrompts }: RegistrySearch, tags: Prisma.Sql): Prisma.Sql {
  const tests = conditions.map(({ field, operator, value }) => compareSql(fieldSql(field, tags), operator, value));
  tests.push(Prisma.sql`entry.type = 'model'`);
  if (withoutPrompts) tests.push(Prisma.sql`(entry.tags ->> ${PROMPT_TAG}) IS DISTINCT FROM 'true'`);
  return Prisma.join(tests, ' AND ');
}

const MODEL_ORDER: Readonly<Record<RegistryOrder['field'], Prisma.Sql>> = {
  name: Prisma.sql`entry.name COLLATE "C"`,
  version_number: Prisma.sql`entry.name COLLATE "C"`,
  creation_timestamp: Prisma.sql`entry.created_at`,
  last_updated_timestamp: Prisma.sql`entry.updated_at`,
};
const VERSION_ORDER: Readonly<Record<RegistryOrder['field'], Prisma.Sql>> = {
  name: Prisma.sql`entry.name COLLATE "C"`,
  version_number: Prisma.sql`version.number`,
  creation_timestamp: Prisma.sql`version.created_at`,
  last_updated_timestamp: Prisma.sql`version.updated_at`,
};

function orderSql(order: readonly RegistryOrder[], fields: typeof MODEL_ORDER): Prisma.Sql {
  return Prisma.join(
    order.map(({ field, ascending }) =>
      ascending ? Prisma.sql`${fields[field]} ASC` : Prisma.sql`${fields[field]} DESC`,
    ),
  );
}

/** Registered models that meet all conditions, a page of them. */
export async function searchModels(connection: Connection, search: RegistrySearch): Promise<EntryRecord[]> {
  return await queryRows(connection, entryRow)`
    SELECT ${ENTRY_COLUMNS} FROM registry_entry entry WHERE ${whereSql(search, Prisma.sql`entry.tags`)}
    ORDER BY ${orderSql([...search.order, { field: 'name', ascending: true }], MODEL_ORDER)}
    OFFSET ${search.offset}::int8 LIMIT ${search.limit}::int8`;
}

/** Versions of registered models that meet all conditions, a page of them. */
export async function searchVersions(connection: Connection, search: RegistrySearch): Promise<VersionRecord[]> {
  const last = [
    { field: 'name', ascending: true },
    { field: 'version_number', ascending: false },
  ] as const;
  return await queryRows(connection, versionRow)`
    SELECT ${VERSION_COLUMNS} FROM registry_version version JOIN registry_entry entry ON entry.id = version.entry_id
    WHERE ${whereSql(search, Prisma.sql`version.tags`)}
    ORDER BY ${orderSql([...search.order, ...last], VERSION_ORDER)}
    OFFSET ${search.offset}::int8 LIMIT ${search.limit}::int8`;
}

/** The newest version of every stage of the entries. */
export async function listNewestOfStages(
  connection: Connection,
  entryIds: readonly string[],
): Promise<VersionRecord[]> {
  return await queryRows(connection, versionRow)`
    SELECT DISTINCT ON (version.entry_id, version.stage) ${VERSION_COLUMNS}
    FROM registry_version version JOIN registry_entry entry ON entry.id = version.entry_id
    WHERE version.entry_id = ANY(${[...entryIds]}::uuid[])
    ORDER BY version.entry_id, version.stage, version.number DESC`;
}

/** Moves the other versions of an entry that are in a stage to `Archived`. */
export async function archiveOthers(
  connection: Connection,
  { entryId, id, stage }: { entryId: string; id: string; stage: string },
): Promise<void> {
  await connection.$executeRaw`
    UPDATE registry_version SET stage = 'Archived', updated_at = now()
    WHERE entry_id = ${entryId}::uuid AND id <> ${id}::uuid AND stage = ${stage}`;
}
