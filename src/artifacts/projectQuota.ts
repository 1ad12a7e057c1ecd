import { badInput, WarrenError } from '#src/base/contracts/errors.ts';
import { formatBytes } from '#src/base/lib/formatBytes.ts';
import type { Connection } from '#src/base/database/connection.ts';
import {
  listProjectStorage,
  type ProjectStorage,
  projectRoom,
  setProjectQuota,
} from '#src/artifacts/store/projectStorage.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';

/** An upload that may be more than its project has room for. */
export interface Upload {
  runId: string;
  name: string;
  /** Null as long as it is not known: then equal content that is there already counts twice. */
  sha256: string | null;
  sizeBytes: number;
}

/**
 * Refuses an upload that would take a project beyond its quota. Uploads that come at the same time may together pass it by
 * what they bring.
 * @returns bytes that there is room for; infinite without a quota.
 * @throws WarrenError OVER_QUOTA that says what the project holds and what can be done.
 */
export async function refuseBeyondQuota(connection: Connection, upload: Upload): Promise<number> {
  const room = await projectRoom(connection, upload);
  if (room === null) return Number.POSITIVE_INFINITY;
  if (room.bytes + upload.sizeBytes <= room.quotaBytes) return room.quotaBytes - room.bytes;
  const { project, quotaBytes, files, bytes, trashBytes } = room;
  const held = `project "${project}" holds ${formatBytes(bytes)} in ${files} files of the ${formatBytes(quotaBytes)} that it may`;
  const trash =
    trashBytes > 0 ? `; ${formatBytes(trashBytes)} of it is in the trash: \`warren clean --older-than 0d\`` : '';
  const advice =
    'delete runs, remove checkpoints of ended ones (`warren clean --checkpoints 7d`), or have an admin raise it';
  throw new WarrenError(
    'OVER_QUOTA',
    `${held}, and "${upload.name}" has ${formatBytes(upload.sizeBytes)}${trash}; ${advice} (\`warren project quota\`)`,
    { path: 'name' },
  );
}

/**
 * Sets how many bytes the artifacts of a project may take; null: as many as there is room for. What is there stays.
 * @throws WarrenError NOT_FOUND without such a project, BAD_INPUT for less than 0 or no whole number.
 */
export async function changeProjectQuota(
  { db }: Pick<ServiceContext, 'db'>,
  { project, bytes }: { project: string; bytes: number | null },
): Promise<ProjectStorage> {
  if (bytes !== null && !(Number.isSafeInteger(bytes) && bytes >= 0)) {
    throw badInput(`bytes: expected a whole number of bytes, or null for no limit, received ${bytes}`, 'bytes');
  }
  if (!(await setProjectQuota(db, project, bytes))) {
    throw new WarrenError('NOT_FOUND', `there is no project "${project}"`, { path: 'project' });
  }
  return (await listProjectStorage(db, { name: project, limit: 1 }))[0]!;
}
