import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { REGISTRY_STAGES, VERSION_STATES } from '#src/base/contracts/registry.ts';
import { Prisma } from '#src/generated/prisma/client.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { databaseJson, databaseText } from '#src/base/database/databaseText.ts';
import { queryRows, timestamp } from '#src/base/database/queryRows.ts';
import { storedTags } from './entryRecord.ts';

/** A row of `registry_version`, with the name of its entry and the aliases that point to it. */
export const versionRow = z.object({
  id: z.string(),
  entryId: z.string(),
  /** The name of its entry. */
  name: z.string(),
  number: z.int(),
  /** The run that made it. */
  runId: z.string().nullable(),
  /** The artifact of the run, or the folder of its artifacts. */
  artifactName: z.string().nullable(),
  /** Of the file, or of the list of the files' digests and paths; null without files. */
  sha256: z.string().nullable(),
  /** Where an MLflow client says that it is. */
  source: z.string(),
  description: z.string(),
  tags: storedTags,
  stage: z.enum(REGISTRY_STAGES),
  state: z.enum(VERSION_STATES),
  runLink: z.string().nullable(),
  loggedModelId: z.string().nullable(),
  userName: z.string().nullable(),
  aliases: z.array(z.string()),
  createdAt: timestamp,
  updatedAt: timestamp,
});
export type VersionRecord = z.infer<typeof versionRow>;

export const VERSION_COLUMNS = Prisma.sql`version.id, version.entry_id AS "entryId", entry.name, version.number,
  version.run_id AS "runId", version.artifact_name AS "artifactName", version.sha256, version.source, version.description,
  version.tags, version.stage, version.state, version.run_link AS "runLink", version.logged_model_id AS "loggedModelId",
  version.user_name AS "userName", version.created_at AS "createdAt", version.updated_at AS "updatedAt",
  ARRAY(SELECT alias.name FROM registry_alias alias WHERE alias.version_id = version.id ORDER BY alias.name COLLATE "C")
    AS aliases`;

const FROM = Prisma.sql`registry_version version JOIN registry_entry entry ON entry.id = version.entry_id`;

/** Versions of an entry, the newest first. @param page Those below a number, so many at most. */
export async function listVersions(
  connection: Connection,
  entryIds: readonly string[],
  page: { before: number | null; first: number },
): Promise<VersionRecord[]> {
  return await queryRows(connection, versionRow)`
    SELECT ${VERSION_COLUMNS} FROM (
      SELECT id, row_number() OVER (PARTITION BY entry_id ORDER BY number DESC) AS place FROM registry_version
      WHERE entry_id = ANY(${[...entryIds]}::uuid[]) AND (${page.before}::int IS NULL OR number < ${page.before}::int)
    ) chosen JOIN registry_version version ON version.id = chosen.id JOIN registry_entry entry ON entry.id = version.entry_id
    WHERE chosen.place <= ${page.first}::int ORDER BY entry.name COLLATE "C", version.number DESC`;
}

/** Which version of an entry is meant. */
export type WhichVersion = { number: number } | { alias: string } | { newest: true };

/** That version of the entry of this name; null when there is none. */
export async function findVersion(
  connection: Connection,
  name: string,
  which: WhichVersion,
): Promise<VersionRecord | null> {
  const condition =
    'number' in which
      ? Prisma.sql`AND version.number = ${which.number}::int`
      : 'alias' in which
        ? Prisma.sql`AND EXISTS (SELECT FROM registry_alias alias WHERE alias.version_id = version.id
            AND alias.name = ${databaseText(which.alias)})`
        : Prisma.empty;
  const rows = await queryRows(connection, versionRow)`
    SELECT ${VERSION_COLUMNS} FROM ${FROM} WHERE entry.name = ${databaseText(name)} ${condition}
    ORDER BY version.number DESC LIMIT 1`;
  return rows[0] ?? null;
}

/** The version of an entry that has these files of a run already; null when there is none. */
export async function findSameVersion(
  connection: Connection,
  entryId: string,
  { runId, artifactName, sha256 }: { runId: string; artifactName: string; sha256: string },
): Promise<VersionRecord | null> {
  const rows = await queryRows(connection, versionRow)`
    SELECT ${VERSION_COLUMNS} FROM ${FROM} WHERE version.entry_id = ${entryId}::uuid AND version.run_id = ${runId}::uuid
      AND version.artifact_name = ${databaseText(artifactName)} AND version.sha256 = ${sha256}
    ORDER BY version.number DESC LIMIT 1`;
  return rows[0] ?? null;
}

/** Of a version that is new; all else is as for a new one. */
export type NewVersion = Pick<VersionRecord, 'runId' | 'artifactName' | 'sha256' | 'source' | 'description' | 'tags'> &
  Pick<VersionRecord, 'runLink' | 'loggedModelId' | 'userName'>;

/** Makes the next version of a locked entry. */
export async function insertVersion(
  connection: Connection,
  entryId: string,
  version: NewVersion,
): Promise<VersionRecord> {
  const text = (value: string | null) => (value === null ? null : databaseText(value));
  const rows = await queryRows(connection, versionRow)`
    WITH entry AS (
      UPDATE registry_entry SET updated_at = now(), last_version = greatest(last_version,
        (SELECT max(number) FROM registry_version WHERE entry_id = ${entryId}::uuid)) + 1
      WHERE id = ${entryId}::uuid RETURNING id, name, last_version
    ), version AS (
      INSERT INTO registry_version (id, entry_id, number, run_id, artifact_name, sha256, source, description, tags,
        run_link, logged_model_id, user_name)
      SELECT ${randomUUID()}::uuid, entry.id, entry.last_version, ${version.runId}::uuid, ${text(version.artifactName)},
        ${version.sha256}, ${databaseText(version.source)}, ${databaseText(version.description)},
        ${databaseJson(version.tags)}::jsonb, ${text(version.runLink)}, ${text(version.loggedModelId)},
        ${text(version.userName)}
      FROM entry RETURNING *
    ) SELECT ${VERSION_COLUMNS} FROM version, entry`;
  const [inserted] = rows;
  if (inserted === undefined) throw new Error('internal: the entry of a version is gone');
  return inserted;
}

/** Sets what is given of a version; as at MLflow, tags alone leave its time of change. */
export async function updateVersion(
  connection: Connection,
  id: string,
  change: Partial<Pick<VersionRecord, 'description' | 'tags' | 'stage'>>,
): Promise<VersionRecord | null> {
  const description = change.description === undefined ? null : databaseText(change.description);
  const tags = change.tags === undefined ? null : databaseJson(change.tags);
  const stage = change.stage ?? null;
  const onlyTags = tags !== null && description === null && stage === null;
  const rows = await queryRows(connection, versionRow)`
    UPDATE registry_version version SET description = coalesce(${description}, version.description),
      tags = coalesce(${tags}::jsonb, version.tags), stage = coalesce(${stage}, version.stage),
      updated_at = CASE WHEN ${onlyTags}::boolean THEN version.updated_at ELSE now() END
    FROM registry_entry entry WHERE version.id = ${id}::uuid AND entry.id = version.entry_id
    RETURNING ${VERSION_COLUMNS}`;
  return rows[0] ?? null;
}

/** Deletes a version; the collector frees what nothing else refers to. Its number is not given again. */
export async function removeVersion(connection: Connection, id: string): Promise<void> {
  await connection.$executeRaw`
    WITH gone AS (DELETE FROM registry_version WHERE id = ${id}::uuid RETURNING entry_id)
    UPDATE registry_entry SET updated_at = now() FROM gone WHERE registry_entry.id = gone.entry_id`;
}

/** The newest version of each of the entries. */
export async function listNewestVersions(
  connection: Connection,
  entryIds: readonly string[],
): Promise<VersionRecord[]> {
  return await queryRows(connection, versionRow)`
    SELECT DISTINCT ON (version.entry_id) ${VERSION_COLUMNS} FROM ${FROM}
    WHERE version.entry_id = ANY(${[...entryIds]}::uuid[]) ORDER BY version.entry_id, version.number DESC`;
}

/** The versions that the runs made, by name and number. */
export async function listVersionsOfRuns(connection: Connection, runIds: readonly string[]): Promise<VersionRecord[]> {
  return await queryRows(connection, versionRow)`
    SELECT ${VERSION_COLUMNS} FROM ${FROM} WHERE version.run_id = ANY(${[...runIds]}::uuid[])
    ORDER BY entry.name COLLATE "C", version.number`;
}
