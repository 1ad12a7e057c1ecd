import type { GroupField } from '#src/base/contracts/runFilter/groupField.ts';
import { Prisma } from '#src/generated/prisma/client.ts';
import { databaseText } from '#src/base/database/databaseText.ts';
import { jsonSql, numberSql, textSql } from './runFieldSql.ts';

type Sql = Prisma.Sql;

/** One group of runs: what they share. */
export interface RunGroupKey {
  fields: readonly GroupField[];
  /** The text of a JSON array with a value for each field, null where the runs have none. */
  key: string;
}

const TAG_JOIN = Prisma.sql`LEFT JOIN LATERAL (SELECT DISTINCT tag FROM unnest(run.tags) tag) group_tag ON true`;

/** What has to be joined to `run` so that `groupKeySql` has its values; a run with several tags gets a row for each. */
export function groupJoins(fields: readonly GroupField[]): Sql[] {
  return fields.some((field) => field.type === 'tag') ? [TAG_JOIN] : [];
}

/** The values of the fields as one jsonb array: equal for runs of a group, never NULL. */
export function groupKeySql(fields: readonly GroupField[]): Sql {
  return Prisma.sql`jsonb_build_array(${Prisma.join(fields.map((field) => valueSql(field)))})`;
}

/** Whether a row of `run` with its `configuration` belongs to the group. */
export function inGroupSql({ fields, key }: RunGroupKey): Sql {
  const group = databaseText(key);
  const tests = fields.map((field, index) => {
    if (field.type !== 'tag')
      return Prisma.sql`coalesce(${valueSql(field)}, 'null') = ${group}::text::jsonb -> ${index}::int`;
    const tag = Prisma.sql`${group}::text::jsonb ->> ${index}::int`;
    return Prisma.sql`CASE WHEN ${tag} IS NULL THEN run.tags = '{}' ELSE ${tag} = ANY(run.tags) END`;
  });
  return Prisma.sql`(${Prisma.join(tests, ' AND ')})`;
}

function valueSql(field: GroupField): Sql {
  switch (field.type) {
    case 'text':
    case 'loggedText':
      return Prisma.sql`to_jsonb(${textSql(field)})`;
    case 'number':
      return Prisma.sql`to_jsonb(${numberSql(field)})`;
    case 'state':
      return Prisma.sql`to_jsonb(run.state::text)`;
    case 'tag':
      return Prisma.sql`to_jsonb(group_tag.tag)`;
    case 'json':
      return jsonSql(field);
  }
}
