import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { RegistryType } from '#src/base/contracts/registry.ts';
import { REGISTRY_TYPES } from '#src/base/contracts/registry.ts';
import { Prisma } from '#src/generated/prisma/client.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { databaseJson, databaseText } from '#src/base/database/databaseText.ts';
import { queryRows, timestamp } from '#src/base/database/queryRows.ts';

/** Words with values, as they are stored with entries and versions of the registry. */
export const storedTags = z.record(z.string(), z.string()).catch({});

/** A row of `registry_entry`: a model or dataset with a name and versions. */
export const entryRow = z.object({
  id: z.string(),
  type: z.enum(REGISTRY_TYPES),
  name: z.string(),
  description: z.string(),
  tags: storedTags,
  createdAt: timestamp,
  updatedAt: timestamp,
});
export type EntryRecord = z.infer<typeof entryRow>;

export const ENTRY_COLUMNS = Prisma.sql`entry.id, entry.type, entry.name, entry.description, entry.tags,
  entry.created_at AS "createdAt", entry.updated_at AS "updatedAt"`;

export interface EntrySearch {
  type: RegistryType | null;
  /** Text that the name has, in any case. */
  search: string | null;
  /** All of these tags, with these values. */
  tags: Readonly<Record<string, string>>;
  /** Only those with a version that a run of this project made. */
  projectId: string | null;
  /** Only names after this one. */
  afterName: string | null;
  first: number;
}

/** Entries by name. */
export async function listEntries(connection: Connection, search: EntrySearch): Promise<EntryRecord[]> {
  const { type, projectId, afterName, first, tags } = search;
  const text = search.search === null ? null : databaseText(search.search);
  const after = afterName === null ? null : databaseText(afterName);
  return await queryRows(connection, entryRow)`
    SELECT ${ENTRY_COLUMNS} FROM registry_entry entry
    WHERE (${type}::text IS NULL OR entry.type = ${type}::text)
      AND (${text}::text IS NULL OR strpos(lower(entry.name), lower(${text}::text)) > 0)
      AND (${after}::text IS NULL OR entry.name COLLATE "C" > ${after}::text)
      AND entry.tags @> ${databaseJson(tags)}::jsonb
      AND (${projectId}::uuid IS NULL OR EXISTS (
        SELECT FROM registry_version version JOIN run ON run.id = version.run_id
        WHERE version.entry_id = entry.id AND run.project_id = ${projectId}::uuid))
    ORDER BY entry.name COLLATE "C" LIMIT ${first}::int`;
}

/** The entries of these ids. */
export async function findEntries(connection: Connection, ids: readonly string[]): Promise<EntryRecord[]> {
  return await queryRows(connection, entryRow)`
    SELECT ${ENTRY_COLUMNS} FROM registry_entry entry WHERE entry.id = ANY(${[...ids]}::uuid[])`;
}

/** The entry of this name; null when there is none. */
export async function findEntryByName(connection: Connection, name: string): Promise<EntryRecord | null> {
  const rows = await queryRows(connection, entryRow)`
    SELECT ${ENTRY_COLUMNS} FROM registry_entry entry WHERE entry.name = ${databaseText(name)}`;
  return rows[0] ?? null;
}

/** As `findEntryByName`; whoever else changes the entry or its versions waits until the transaction ends. */
export async function lockEntry(connection: Connection, name: string): Promise<EntryRecord | null> {
  const rows = await queryRows(connection, entryRow)`
    SELECT ${ENTRY_COLUMNS} FROM registry_entry entry WHERE entry.name = ${databaseText(name)} FOR NO KEY UPDATE`;
  return rows[0] ?? null;
}

const unseenRow = z.object({ unseen: z.boolean() });

/** Whether an entry has versions that the caller, who may see some projects alone, does not see. */
export async function hasUnseenVersions(connection: Connection, id: string): Promise<boolean> {
  const [row] = await queryRows(connection, unseenRow)`
    SELECT EXISTS (SELECT FROM public.registry_version version WHERE version.entry_id = ${id}::uuid
      AND NOT EXISTS (SELECT FROM registry_version seen WHERE seen.id = version.id)) AS unseen`;
  return row?.unseen === true;
}

/**
 * Makes an entry; null when its name is taken.
 * @param entry.projectId Of the run whose files are its first version; without one it is of the projects that the caller may write to.
 */
export async function insertEntry(
  connection: Connection,
  entry: Pick<EntryRecord, 'type' | 'name' | 'description' | 'tags'> & { projectId?: string },
): Promise<EntryRecord | null> {
  const born = entry.projectId === undefined ? Prisma.empty : Prisma.sql`, born_in`;
  const place = entry.projectId === undefined ? Prisma.empty : Prisma.sql`, ARRAY[${entry.projectId}::uuid]`;
  const rows = await queryRows(connection, entryRow)`
    INSERT INTO registry_entry AS entry (id, type, name, description, tags${born})
    VALUES (${randomUUID()}::uuid, ${entry.type}, ${databaseText(entry.name)}, ${databaseText(entry.description)},
      ${databaseJson(entry.tags)}::jsonb${place})
    ON CONFLICT (name) DO NOTHING RETURNING ${ENTRY_COLUMNS}`;
  return rows[0] ?? null;
}

/** Sets what is given of an entry; as at MLflow, tags alone leave its time of change. The name must be free: two at once would fail. */
export async function updateEntry(
  connection: Connection,
  id: string,
  change: Partial<Pick<EntryRecord, 'name' | 'description' | 'tags'>>,
): Promise<EntryRecord | null> {
  const name = change.name === undefined ? null : databaseText(change.name);
  const description = change.description === undefined ? null : databaseText(change.description);
  const tags = change.tags === undefined ? null : databaseJson(change.tags);
  const onlyTags = tags !== null && name === null && description === null;
  const rows = await queryRows(connection, entryRow)`
    UPDATE registry_entry AS entry SET name = coalesce(${name}, entry.name),
      description = coalesce(${description}, entry.description), tags = coalesce(${tags}::jsonb, entry.tags),
      updated_at = CASE WHEN ${onlyTags}::boolean THEN entry.updated_at ELSE now() END
    WHERE entry.id = ${id}::uuid RETURNING ${ENTRY_COLUMNS}`;
  return rows[0] ?? null;
}

/** Deletes an entry with its versions and aliases; the collector frees what nothing else refers to. */
export async function removeEntry(connection: Connection, id: string): Promise<void> {
  await connection.$executeRaw`DELETE FROM registry_entry WHERE id = ${id}::uuid`;
}
