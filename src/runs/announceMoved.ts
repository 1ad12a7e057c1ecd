import type { Connection } from '#src/base/database/connection.ts';
import { runNotifications, sendNotifications } from '#src/base/database/sendNotifications.ts';
import { settleWaitingRuns } from '#src/runs/store/waitingRuns.ts';
import { addRunEvents } from '#src/runs/store/runEvent.ts';
import type { RunRecord } from '#src/runs/store/runRecord.ts';

/**
 * Tells of runs that went to the trash or came back, and settles those that wait for one of them.
 * @returns the runs whose inputs are all there now: they need a job.
 */
export async function announceMoved(
  connection: Connection,
  moved: readonly RunRecord[],
  deleted: boolean,
): Promise<RunRecord[]> {
  if (moved.length === 0) return [];
  const message = deleted ? 'Moved to the trash' : 'Taken back out of the trash';
  const type = deleted ? 'deleted' : 'restored';
  await addRunEvents(
    connection,
    moved.map((run) => ({ runId: run.id, type, message })),
  );
  const { queued, failed } = await settleWaitingRuns(connection);
  await sendNotifications(connection, runNotifications([...moved, ...queued, ...failed]));
  return queued;
}
