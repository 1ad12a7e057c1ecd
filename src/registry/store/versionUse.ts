import { z } from 'zod';
import { Prisma } from '#src/generated/prisma/client.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { databaseText } from '#src/base/database/databaseText.ts';
import { queryRows } from '#src/base/database/queryRows.ts';
import { RUN_COLUMNS, runRow } from '#src/runs/store/runRecord.ts';
import { VERSION_COLUMNS, versionRow } from './versionRecord.ts';

/** Notes that each of the runs took each of the versions; once is enough. */
export async function recordUses(
  connection: Connection,
  runIds: readonly string[],
  versionIds: readonly string[],
): Promise<void> {
  if (runIds.length === 0 || versionIds.length === 0) return;
  await connection.$executeRaw`
    INSERT INTO registry_use (run_id, version_id)
    SELECT run_id, version_id FROM unnest(${[...runIds]}::uuid[]) run_id, unnest(${[...versionIds]}::uuid[]) version_id
    ON CONFLICT DO NOTHING`;
}

const fileRow = z.object({ found: z.boolean() });

/** Whether that content of an artifact is a file of a version which the run took, and which a run of its own project made. */
export async function isUsedFile(
  connection: Connection,
  file: { runId: string; sourceRunId: string; artifactName: string; sha256: string | null },
): Promise<boolean> {
  if (file.sha256 === null) return false;
  const [row] = await queryRows(connection, fileRow)`
    SELECT EXISTS (
      SELECT FROM registry_use used JOIN registry_version version ON version.id = used.version_id
      JOIN registry_file file ON file.version_id = version.id
      JOIN run taker ON taker.id = used.run_id JOIN run maker ON maker.id = version.run_id
      WHERE used.run_id = ${file.runId}::uuid AND maker.id = ${file.sourceRunId}::uuid
        AND maker.project_id = taker.project_id
        AND file.artifact_name = ${databaseText(file.artifactName)} AND file.sha256 = ${file.sha256}
    ) AS found`;
  return row?.found === true;
}

const inputRow = z.object({ runId: z.string(), inputName: z.string(), version: z.string() });
/** Which version's file an input of a run is: `ranker:3/model.pt`. */
export type InputVersion = z.infer<typeof inputRow>;

/** The versions whose files are inputs of the runs. */
export async function listInputVersions(connection: Connection, runIds: readonly string[]): Promise<InputVersion[]> {
  return await queryRows(connection, inputRow)`
    SELECT DISTINCT ON (input.run_id, input.name) input.run_id AS "runId", input.name AS "inputName",
      entry.name || ':' || version.number || '/' || file.path AS version
    FROM run_input input JOIN registry_use used ON used.run_id = input.run_id
    JOIN registry_version version ON version.id = used.version_id AND version.run_id = input.source_run_id
    JOIN registry_entry entry ON entry.id = version.entry_id
    JOIN registry_file file ON file.version_id = version.id AND file.sha256 = input.sha256
      AND file.artifact_name = input.artifact_name
    WHERE input.run_id = ANY(${[...runIds]}::uuid[]) ORDER BY input.run_id, input.name, version.number DESC`;
}

const usedRow = versionRow.extend({ takerId: z.string() });
/** A version that a run, the taker, took. */
export type UsedVersion = z.infer<typeof usedRow>;

/** The versions that the runs took, by name and number. */
export async function listUsedVersions(connection: Connection, runIds: readonly string[]): Promise<UsedVersion[]> {
  return await queryRows(connection, usedRow)`
    SELECT used.run_id AS "takerId", ${VERSION_COLUMNS} FROM registry_use used
    JOIN registry_version version ON version.id = used.version_id JOIN registry_entry entry ON entry.id = version.entry_id
    WHERE used.run_id = ANY(${[...runIds]}::uuid[]) ORDER BY entry.name COLLATE "C", version.number`;
}

const takerRow = runRow.extend({ versionId: z.string() });
/** A run that took a version. */
export type VersionTaker = z.infer<typeof takerRow>;

/** The runs that took the versions and are not in the trash, the newest first, so many of each at most. */
export async function listTakers(
  connection: Connection,
  versionIds: readonly string[],
  first: number,
): Promise<VersionTaker[]> {
  return await queryRows(connection, takerRow)`
    SELECT run.* FROM (
      SELECT used.version_id AS "versionId", ${RUN_COLUMNS},
        row_number() OVER (PARTITION BY used.version_id ORDER BY run.number DESC) AS place
      FROM registry_use used JOIN run ON run.id = used.run_id
      WHERE used.version_id = ANY(${[...versionIds]}::uuid[]) AND run.deleted_at IS NULL
    ) run WHERE run.place <= ${first}::int ORDER BY run."versionId", run.place`;
}

const numberRow = z.object({ number: z.int().nullable() });

/**
 * Numbers of runs that have not ended and need one of the files of a version, or of all versions of an entry; null for those
 * that the caller does not see.
 */
export async function listWaitingTakers(
  connection: Connection,
  of: { versionId: string } | { entryId: string },
): Promise<(number | null)[]> {
  const condition =
    'versionId' in of
      ? Prisma.sql`version.id = ${of.versionId}::uuid`
      : Prisma.sql`version.entry_id = ${of.entryId}::uuid`;
  const rows = await queryRows(connection, numberRow)`
    SELECT DISTINCT (SELECT seen.number FROM run seen WHERE seen.id = run.id) AS number
    FROM public.registry_version version JOIN public.registry_use used ON used.version_id = version.id
    JOIN public.run ON run.id = used.run_id
      AND EXISTS (SELECT FROM public.run_input WHERE run_input.run_id = run.id AND run_input.sha256 IS NOT NULL)
    WHERE ${condition} AND run.state IN ('WAITING', 'QUEUED', 'RUNNING') AND run.deleted_at IS NULL
    ORDER BY number LIMIT 5`;
  return rows.map(({ number }) => number);
}
