import { kindByName } from '#src/catalog/kinds.ts';
import { WarrenError } from '#src/base/contracts/errors.ts';
import { type Connection, inTransaction } from '#src/base/database/connection.ts';
import { sendNotifications } from '#src/base/database/sendNotifications.ts';
import {
  deleteQueuePause,
  insertQueuePause,
  listQueuePauses,
  type QueuePauseRecord,
} from '#src/queue/store/queuePause.ts';
import { type DuePage, listDueRuns } from '#src/queue/store/reconciliation.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { addRunJobs } from '#src/runs/addRunJobs.ts';

const SORTS: readonly DuePage['of'][] = ['gpu', 'added-kinds', 'others'];

/**
 * Keeps workers from beginning runs, also after a restart of everything; those that are executed go on.
 * @param kind Only runs of this kind; all when null.
 * @returns all that is paused.
 * @throws WarrenError NOT_FOUND when no kind has this name.
 */
export async function pauseQueue(
  context: Pick<ServiceContext, 'db'>,
  kind: string | null,
): Promise<QueuePauseRecord[]> {
  if (kind !== null) kindByName(kind);
  return await inTransaction(context.db, async (connection) => {
    await insertQueuePause(connection, kind ?? '');
    return await tellPauses(connection);
  });
}

/**
 * Lets workers begin the runs again. Jobs that workers gave up meanwhile are back at once where they are among the first
 * thousand; the reconciler adds the others.
 * @throws WarrenError NOT_FOUND when that is not paused.
 */
export async function resumeQueue(context: ServiceContext, kind: string | null): Promise<QueuePauseRecord[]> {
  const { pauses, due } = await inTransaction(context.db, async (connection) => {
    if (!(await deleteQueuePause(connection, kind ?? ''))) {
      const what = kind === null ? 'the whole queue' : `the kind "${kind}"`;
      throw new WarrenError('NOT_FOUND', `${what} is not paused; ${whatIsPaused(await listQueuePauses(connection))}`, {
        path: 'kind',
      });
    }
    const pauses = await tellPauses(connection);
    const pages = [];
    for (const of of SORTS) pages.push(await listDueRuns(connection, { of, after: null }));
    return { pauses, due: pages.flatMap(({ runs }) => runs) };
  });
  await addRunJobs(context, due);
  return pauses;
}

async function tellPauses(connection: Connection): Promise<QueuePauseRecord[]> {
  await sendNotifications(connection, [{ type: 'workers' }]);
  return await listQueuePauses(connection);
}

function whatIsPaused(pauses: readonly QueuePauseRecord[]): string {
  if (pauses.length === 0) return 'nothing is';
  return `paused: ${pauses.map(({ kind }) => (kind === '' ? 'the whole queue' : kind)).join(', ')}`;
}

/** For what a queued run of this kind waits because of a pause; null where none holds it up. */
export function whatPauseHolds(kind: string, pauses: readonly QueuePauseRecord[]): string | null {
  if (pauses.some((pause) => pause.kind === '')) return 'the queue to be resumed (`warren queue resume`)';
  if (!pauses.some((pause) => pause.kind === kind)) return null;
  return `the kind "${kind}" to be resumed (\`warren queue resume ${kind}\`)`;
}
