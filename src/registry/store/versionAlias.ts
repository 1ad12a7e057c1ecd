import { z } from 'zod';
import type { Connection } from '#src/base/database/connection.ts';
import { databaseText } from '#src/base/database/databaseText.ts';
import { queryRows } from '#src/base/database/queryRows.ts';

/** A row of `registry_alias` with the number of its version. */
const aliasRow = z.object({ entryId: z.string(), name: z.string(), number: z.int() });
export type AliasRecord = z.infer<typeof aliasRow>;

/** The aliases of the entries, by name. */
export async function listAliases(connection: Connection, entryIds: readonly string[]): Promise<AliasRecord[]> {
  return await queryRows(connection, aliasRow)`
    SELECT alias.entry_id AS "entryId", alias.name, version.number
    FROM registry_alias alias JOIN registry_version version ON version.id = alias.version_id
    WHERE alias.entry_id = ANY(${[...entryIds]}::uuid[]) ORDER BY alias.name COLLATE "C"`;
}

/**
 * Points aliases of an entry to a version, away from where they pointed.
 * @returns How many do now: fewer where some point to versions that the caller does not see, and stay.
 */
export async function putAliases(
  connection: Connection,
  { entryId, id }: { entryId: string; id: string },
  names: readonly string[],
): Promise<number> {
  if (names.length === 0) return 0;
  return await connection.$executeRaw`
    INSERT INTO registry_alias (entry_id, name, version_id)
    SELECT ${entryId}::uuid, name, ${id}::uuid FROM unnest(${names.map(databaseText)}::text[]) name
    ON CONFLICT (entry_id, name) DO UPDATE SET version_id = excluded.version_id
      WHERE EXISTS (SELECT FROM registry_version seen WHERE seen.id = registry_alias.version_id)`;
}

/** Removes an alias of an entry; false when it has none of that name. */
export async function removeAlias(connection: Connection, entryId: string, name: string): Promise<boolean> {
  const removed = await connection.$executeRaw`
    DELETE FROM registry_alias WHERE entry_id = ${entryId}::uuid AND name = ${databaseText(name)}`;
  return removed > 0;
}
