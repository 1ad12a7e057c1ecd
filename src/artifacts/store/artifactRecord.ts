import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { ArtifactReport } from '#src/base/contracts/reports.ts';
import { type Artifact, Prisma } from '#src/generated/prisma/client.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { databaseText } from '#src/base/database/databaseText.ts';
import { queryRows } from '#src/base/database/queryRows.ts';
import { findRegisteredFile } from '#src/registry/store/versionFile.ts';
import { releaseUploads } from './unsettledContent.ts';

const roleSchema = z.enum(['output', 'checkpoint', 'code', 'media']);

const inputRow = z.object({
  name: z.string(),
  sourceId: z.string(),
  sourceNumber: z.int(),
  artifactName: z.string(),
  sha256: z.string().nullable(),
});

/** A row of `artifact`: a file that a run left; its bytes are in the artifact store under their sha256. */
export interface ArtifactRecord extends Omit<Artifact, 'role' | 'sizeBytes' | 'step'> {
  role: z.infer<typeof roleSchema>;
  sizeBytes: number;
  /** The step of a checkpoint. */
  step: number | null;
}

function fromRow({ role, sizeBytes, step, ...row }: Artifact): ArtifactRecord {
  return {
    ...row,
    role: roleSchema.parse(role),
    sizeBytes: Number(sizeBytes),
    step: step === null ? null : Number(step),
  };
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
  const found = await connection.artifact.findFirst({
    where: { runId, role: 'checkpoint', step: { not: null } },
    orderBy: [{ step: 'desc' }, { createdAt: 'desc' }],
  });
  return found === null ? null : fromRow(found);
}

/** Forgets a checkpoint that cannot be used. False when the run has none of that content any more. */
export async function removeCheckpoint(connection: Connection, runId: string, sha256: string): Promise<boolean> {
  const { count } = await connection.artifact.deleteMany({ where: { runId, role: 'checkpoint', sha256 } });
  return count > 0;
}

/** The artifacts of the runs, by run and name, but for the contents of media. */
export async function listArtifacts(connection: Connection, runIds: readonly string[]): Promise<ArtifactRecord[]> {
  if (runIds.length === 0) return [];
  const rows = await connection.artifact.findMany({
    where: { runId: { in: [...runIds] }, role: { not: 'media' } },
    orderBy: [{ runId: 'asc' }, { name: 'asc' }],
  });
  return rows.map(fromRow);
}

/** The artifact of this name in the run, or null. */
export async function findArtifact(
  connection: Connection,
  runId: string,
  name: string,
): Promise<ArtifactRecord | null> {
  const found = await connection.artifact.findUnique({ where: { runId_name: { runId, name: databaseText(name) } } });
  return found === null ? null : fromRow(found);
}

/** The input artifacts of a run, beside what the kind calls them; `artifact` is null where the source has none. */
export async function listInputArtifacts(
  connection: Connection,
  runId: string,
): Promise<{ name: string; sourceNumber: number; artifactName: string; artifact: ArtifactRecord | null }[]> {
  const inputs = await queryRows(connection, inputRow)`
    SELECT run_input.name, source.id AS "sourceId", source.number AS "sourceNumber",
      run_input.artifact_name AS "artifactName", run_input.sha256
    FROM run_input JOIN run source ON source.id = run_input.source_run_id
    WHERE run_input.run_id = ${runId}::uuid ORDER BY run_input.name`;
  const artifacts = await listArtifacts(connection, [...new Set(inputs.map((input) => input.sourceId))]);
  return await Promise.all(
    inputs.map(async ({ name, sourceId, sourceNumber, artifactName, sha256 }) => {
      const left = artifacts.find((item) => item.runId === sourceId && item.name === artifactName) ?? null;
      const artifact =
        sha256 === null || left?.sha256 === sha256
          ? left
          : await registeredArtifact(connection, { runId: sourceId, artifactName, sha256 });
      return { name, sourceNumber, artifactName, artifact };
    }),
  );
}

/** A file of a version, as the artifact of its run that it was when the version was registered. */
export async function registeredArtifact(
  connection: Connection,
  of: { runId: string; artifactName: string; sha256: string },
): Promise<ArtifactRecord | null> {
  const file = await findRegisteredFile(connection, of);
  if (file === null) return null;
  const { sha256, sizeBytes, mediaType, createdAt } = file;
  const facts = { id: file.versionId, runId: of.runId, attempt: 0, role: 'output', step: null } as const;
  return { ...facts, name: of.artifactName, mediaType, sha256, sizeBytes, createdAt };
}
