import { randomUUID } from 'node:crypto';
import type { ArtifactReport } from '#src/contracts/reports.ts';
import { Prisma } from '#src/generated/prisma/client.ts';
import type { Connection } from '../database/connection.ts';
import { databaseText } from '../database/databaseText.ts';
import { releaseUploads } from './unsettledContent.ts';

/** A row of `artifact`: a file that a run left; its bytes are in the artifact store under their sha256. */
export interface ArtifactRecord {
  id: string;
  runId: string;
  attempt: number;
  /** Relative path inside the run. */
  name: string;
  role: 'output' | 'checkpoint' | 'code' | 'media';
  mediaType: string;
  sha256: string;
  sizeBytes: number;
  /** The step of a checkpoint. */
  step: number | null;
  createdAt: Date;
}

interface ArtifactRow extends Omit<ArtifactRecord, 'sizeBytes' | 'step'> {
  sizeBytes: bigint;
  step: bigint | null;
}

const COLUMNS = Prisma.sql`artifact.id, artifact.run_id AS "runId", artifact.attempt, artifact.name, artifact.role,
  artifact.media_type AS "mediaType", artifact.sha256, artifact.size_bytes AS "sizeBytes", artifact.step,
  artifact.created_at AS "createdAt"`;

function fromRow(row: ArtifactRow): ArtifactRecord {
  return { ...row, sizeBytes: Number(row.sizeBytes), step: row.step === null ? null : Number(row.step) };
}

/**
 * Records that the attempt left these files. A name that is there already is replaced, unless a later attempt wrote it;
 * the same file recorded twice changes nothing. Their uploads need no protection any more.
 */
export async function putArtifacts(
  connection: Connection,
  owner: { runId: string; attempt: number },
  artifacts: readonly Omit<ArtifactReport, 'type'>[],
): Promise<void> {
  const newest = new Map(artifacts.map((artifact) => [artifact.name, artifact]));
  if (newest.size === 0) return;
  const rows = [...newest.values()].map(
    (artifact) => Prisma.sql`(${randomUUID()}::uuid, ${owner.runId}::uuid, ${owner.attempt}::int,
      ${databaseText(artifact.name)}, ${artifact.role}, ${databaseText(artifact.mediaType)}, ${artifact.sha256},
      ${artifact.sizeBytes}::int8, ${artifact.step ?? null}::int8)`,
  );
  await connection.$executeRaw`
    INSERT INTO artifact (id, run_id, attempt, name, role, media_type, sha256, size_bytes, step)
    VALUES ${Prisma.join(rows)}
    ON CONFLICT (run_id, name) DO UPDATE SET attempt = excluded.attempt, role = excluded.role,
      media_type = excluded.media_type, sha256 = excluded.sha256, size_bytes = excluded.size_bytes,
      step = excluded.step, created_at = now()
    WHERE artifact.attempt <= excluded.attempt AND (artifact.attempt, artifact.role, artifact.sha256, artifact.step)
      IS DISTINCT FROM (excluded.attempt, excluded.role, excluded.sha256, excluded.step)`;
  await releaseUploads(connection, owner.runId, artifacts);
}

/** Gives runs that have not begun the same file. */
export async function attachArtifact(
  connection: Connection,
  runIds: readonly string[],
  artifact: Pick<ArtifactRecord, 'name' | 'role' | 'mediaType' | 'sha256' | 'sizeBytes'>,
): Promise<void> {
  await connection.$executeRaw`
    INSERT INTO artifact (id, run_id, attempt, name, role, media_type, sha256, size_bytes)
    SELECT gen_random_uuid(), run_id, 0, ${artifact.name}, ${artifact.role}, ${artifact.mediaType}, ${artifact.sha256},
      ${artifact.sizeBytes}::int8
    FROM unnest(${[...runIds]}::uuid[]) AS run_id`;
}

/** The checkpoint from which a new attempt goes on: the one with the greatest step; null when there is none. */
export async function findCheckpoint(connection: Connection, runId: string): Promise<ArtifactRecord | null> {
  const rows = await connection.$queryRaw<ArtifactRow[]>`
    SELECT ${COLUMNS} FROM artifact WHERE run_id = ${runId}::uuid AND role = 'checkpoint' AND step IS NOT NULL
    ORDER BY step DESC, created_at DESC LIMIT 1`;
  return rows[0] === undefined ? null : fromRow(rows[0]);
}

/** Forgets a checkpoint that cannot be used. False when the run has none of that content any more. */
export async function removeCheckpoint(connection: Connection, runId: string, sha256: string): Promise<boolean> {
  const removed = await connection.$executeRaw`
    DELETE FROM artifact WHERE run_id = ${runId}::uuid AND role = 'checkpoint' AND sha256 = ${sha256}`;
  return removed > 0;
}

/** The artifacts of the runs, by run and name, but for the contents of media. */
export async function listArtifacts(connection: Connection, runIds: readonly string[]): Promise<ArtifactRecord[]> {
  if (runIds.length === 0) return [];
  const rows = await connection.$queryRaw<ArtifactRow[]>`
    SELECT ${COLUMNS} FROM artifact WHERE run_id = ANY(${[...runIds]}::uuid[]) AND role <> 'media'
    ORDER BY run_id, name`;
  return rows.map(fromRow);
}

/** The artifact of this name in the run, or null. */
export async function findArtifact(
  connection: Connection,
  runId: string,
  name: string,
): Promise<ArtifactRecord | null> {
  const rows = await connection.$queryRaw<ArtifactRow[]>`
    SELECT ${COLUMNS} FROM artifact WHERE run_id = ${runId}::uuid AND name = ${databaseText(name)}`;
  return rows[0] === undefined ? null : fromRow(rows[0]);
}

/** The input artifacts of a run, beside what the kind calls them; `artifact` is null where the source has none. */
export async function listInputArtifacts(
  connection: Connection,
  runId: string,
): Promise<{ name: string; sourceNumber: number; artifactName: string; artifact: ArtifactRecord | null }[]> {
  const inputs = await connection.$queryRaw<
    { name: string; sourceRunId: string; sourceNumber: number; artifactName: string }[]
  >`
    SELECT run_input.name, run_input.source_run_id AS "sourceRunId", run.number AS "sourceNumber",
      run_input.artifact_name AS "artifactName"
    FROM run_input JOIN run ON run.id = run_input.source_run_id
    WHERE run_input.run_id = ${runId}::uuid ORDER BY run_input.name`;
  const artifacts = await listArtifacts(connection, [...new Set(inputs.map((input) => input.sourceRunId))]);
  return inputs.map(({ name, sourceRunId, sourceNumber, artifactName }) => ({
    name,
    sourceNumber,
    artifactName,
    artifact: artifacts.find((item) => item.runId === sourceRunId && item.name === artifactName) ?? null,
  }));
}
