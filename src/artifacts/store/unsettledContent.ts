import { z } from 'zod';
import { Prisma } from '#src/generated/prisma/client.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { databaseText } from '#src/base/database/databaseText.ts';
import { queryRows } from '#src/base/database/queryRows.ts';

/** An entry whose attempt may still record the upload as an artifact. */
const IS_HELD = Prisma.sql`EXISTS (SELECT FROM run WHERE run.id = unsettled_content.run_id
  AND run.attempt = unsettled_content.attempt AND run.state = 'RUNNING')`;

/** Protects content that an attempt has sent until the attempt has recorded it, or has ended. */
export async function protectUpload(
  connection: Connection,
  upload: { runId: string; attempt: number; name: string; sha256: string },
): Promise<void> {
  const { runId, attempt, name, sha256 } = upload;
  await connection.$executeRaw`
    INSERT INTO unsettled_content (sha256, run_id, attempt, name)
    VALUES (${sha256}, ${runId}::uuid, ${attempt}::int, ${databaseText(name)})`;
}

/** Protects content that no run refers to yet for some seconds, and remembers for as long who has sent it. */
export async function holdContent(
  connection: Connection,
  { sha256, sender, seconds }: { sha256: string; sender: string; seconds: number },
): Promise<void> {
  await connection.$executeRaw`
    INSERT INTO unsettled_content (sha256, sender, since)
    VALUES (${sha256}, ${databaseText(sender)}, now() + ${seconds}::int * interval '1 second')`;
}

/** Whether the connection sees an artifact of this content, or the sender has sent it of late. */
export async function isSeenOrSent(
  connection: Connection,
  { sha256, sender }: { sha256: string; sender: string },
): Promise<boolean> {
  const [row] = await queryRows(connection, z.object({ known: z.boolean() }))`
    SELECT EXISTS (SELECT FROM artifact WHERE sha256 = ${sha256}) OR EXISTS (
      SELECT FROM unsettled_content WHERE sha256 = ${sha256} AND sender = ${databaseText(sender)}) AS known`;
  return row?.known === true;
}

/**
 * Ends the protection of uploads that the run has recorded, one upload for each artifact, the oldest first. The entries
 * stay for the collector: the row that recorded them may have been replaced already.
 */
export async function releaseUploads(
  connection: Connection,
  runId: string,
  recorded: readonly { name: string; sha256: string }[],
): Promise<void> {
  await connection.$executeRaw`
    UPDATE unsettled_content SET run_id = NULL, attempt = NULL, name = NULL
    FROM (
      SELECT upload.id, row_number() OVER (PARTITION BY upload.name, upload.sha256 ORDER BY upload.id) AS place,
        given.times
      FROM unsettled_content upload JOIN (
        SELECT name, sha256, count(*) AS times
        FROM unnest(${recorded.map(({ name }) => databaseText(name))}::text[],
          ${recorded.map(({ sha256 }) => sha256)}::text[]) AS one (name, sha256) GROUP BY name, sha256
      ) given ON given.name = upload.name AND given.sha256 = upload.sha256
      WHERE upload.run_id = ${runId}::uuid
    ) settled
    WHERE settled.id = unsettled_content.id AND settled.place <= settled.times`;
}

/** Leaves content to the collector; what is there already is not entered again. */
export async function enterUnsettled(connection: Connection, sha256s: readonly string[]): Promise<number> {
  return await connection.$executeRaw`
    INSERT INTO unsettled_content (sha256) SELECT sha256 FROM unnest(${[...sha256s]}::text[]) AS found (sha256)
    WHERE NOT EXISTS (SELECT FROM artifact WHERE artifact.sha256 = found.sha256)
      AND NOT EXISTS (SELECT FROM registry_file WHERE registry_file.sha256 = found.sha256)
      AND NOT EXISTS (SELECT FROM unsettled_content WHERE unsettled_content.sha256 = found.sha256)`;
}

/** A sweep over programs, or a decision between some, may still queue runs with this code. */
const MAY_BE_QUEUED = Prisma.sql`(EXISTS (SELECT FROM sweep WHERE sweep.state <> 'CANCELLED'
  AND sweep.definition->'command'->>'code' = entry.sha256) OR EXISTS (SELECT FROM decision WHERE decision.ended_at IS NULL
  AND entry.sha256 IN (decision.plan->'a'->'parameters'->>'code', decision.plan->'b'->'parameters'->>'code')))`;

const unsettledRow = z.object({
  id: z.bigint(),
  sha256: z.string(),
  /** Whether an artifact, a registered version, or the code of a sweep or decision is this content, or an upload that may become one. */
  needed: z.boolean(),
});
export type UnsettledContent = z.infer<typeof unsettledRow>;

/** The oldest entries that no running attempt holds and that are at least `minimumAgeMs` old. */
export async function listUnsettled(
  connection: Connection,
  { minimumAgeMs, limit }: { minimumAgeMs: number; limit: number },
): Promise<UnsettledContent[]> {
  return await queryRows(connection, unsettledRow)`
    SELECT entry.id, entry.sha256,
      EXISTS (SELECT FROM artifact WHERE artifact.sha256 = entry.sha256)
        OR EXISTS (SELECT FROM registry_file WHERE registry_file.sha256 = entry.sha256) OR ${MAY_BE_QUEUED} OR EXISTS (
        SELECT FROM unsettled_content WHERE unsettled_content.sha256 = entry.sha256 AND ${IS_HELD}) AS needed
    FROM (
      SELECT id, sha256 FROM unsettled_content
      WHERE since <= now() - ${minimumAgeMs}::int * interval '1 millisecond' AND NOT ${IS_HELD}
      ORDER BY id LIMIT ${limit}::int
    ) entry ORDER BY entry.id`;
}

/** Forgets entries that have been looked at. */
export async function removeUnsettled(connection: Connection, ids: readonly bigint[]): Promise<void> {
  if (ids.length === 0) return;
  await connection.$executeRaw`
    DELETE FROM unsettled_content WHERE id = ANY(${ids.map(String)}::text[]::int8[])`;
}
