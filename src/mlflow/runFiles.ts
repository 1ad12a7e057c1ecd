import { badInput } from '#src/base/contracts/errors.ts';
import type { ArtifactReport } from '#src/base/contracts/reports.ts';
import { putArtifacts } from '#src/artifacts/store/artifactRecord.ts';
import { inTransaction } from '#src/base/database/connection.ts';
import { runNotifications, sendNotifications } from '#src/base/database/sendNotifications.ts';
import { listRunFiles, type RunFileEntry, removeRunFiles } from '#src/mlflow/store/runFiles.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { lockWritableRun } from './trackedRuns.ts';

type Context = Pick<ServiceContext, 'db'>;

const LONGEST = 500;

/**
 * A path inside a run's artifacts, without slashes around it; empty for all of them.
 * @throws WarrenError BAD_INPUT where it could lead anywhere else.
 */
export function checkedPath(path: string): string {
  const clean = path.replace(/\/+$/, '').replace(/^\.\//, '');
  if (clean === '' || clean === '.') return '';
  const parts = clean.split('/');
  const isSafe = parts.every((part) => part !== '' && part !== '.' && part !== '..' && !/[\\\p{Cc}]/u.test(part));
  if (!isSafe || /^[a-z][\w+.-]*:/i.test(clean) || Buffer.byteLength(clean) > LONGEST) {
    throw badInput('Invalid path', 'path');
  }
  return clean;
}

/** What lies in a folder of a run's artifacts. */
export async function listFiles(context: Context, runId: string, path: string): Promise<RunFileEntry[]> {
  const folder = checkedPath(path);
  return await listRunFiles(context.db, runId, folder === '' ? '' : `${folder}/`);
}

/** Records a file whose bytes are in the artifact store. @throws WarrenError NOT_FOUND, BAD_INPUT. */
export async function addFile(context: Context, runId: string, artifact: Omit<ArtifactReport, 'type'>): Promise<void> {
  await inTransaction(context.db, async (connection) => {
    const run = await lockWritableRun(connection, runId);
    await putArtifacts(connection, { runId: run.id, attempt: run.attempt }, [artifact]);
    await sendNotifications(connection, runNotifications([run]));
  });
}

/** Removes a file or a folder; one that is not there is no error. @throws WarrenError NOT_FOUND, BAD_INPUT. */
export async function removeFiles(context: Context, runId: string, path: string): Promise<void> {
  await inTransaction(context.db, async (connection) => {
    const run = await lockWritableRun(connection, runId);
    await removeRunFiles(connection, run.id, checkedPath(path));
    await sendNotifications(connection, runNotifications([run]));
  });
}
