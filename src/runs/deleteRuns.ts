import { cancelIdleRuns, setInTrash } from '#src/runs/store/changeRuns.ts';
import { type Connection, inTransaction } from '#src/base/database/connection.ts';
import { addRunEvents } from '#src/runs/store/runEvent.ts';
import type { RunRecord } from '#src/runs/store/runRecord.ts';
import { runNotifications, sendNotifications } from '#src/base/database/sendNotifications.ts';
import { settleWaitingRuns } from '#src/runs/store/waitingRuns.ts';
import { removeRunJobs } from './addRunJobs.ts';
import { type Change, changeEach, type RunOutcome } from './runOutcome.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';

/**
 * Moves runs to the trash: ended ones as they are, waiting and queued ones cancelled. A running run is refused.
 * Runs that wait for one of them fail.
 * @param references Ids or numbers.
 */
export async function deleteRuns(context: ServiceContext, references: readonly string[]): Promise<RunOutcome[]> {
  const dequeued: RunRecord[] = [];
  const outcomes = await inTransaction(context.db, async (connection) => {
    dequeued.length = 0;
    return await changeEach(connection, references, async (runs) => {
      const idle = runs.filter((run) => run.state === 'WAITING' || run.state === 'QUEUED').map((run) => run.id);
      dequeued.push(...(await cancelIdleRuns(connection, idle)));
      const changes = await moveToTrash(connection, runs, true);
      await settleWaitingRuns(connection);
      return changes;
    });
  });
  await removeRunJobs(context, dequeued);
  return outcomes;
}

/**
 * Takes runs back out of the trash.
 * @param references Ids or numbers.
 */
export async function restoreRuns(context: ServiceContext, references: readonly string[]): Promise<RunOutcome[]> {
  return await inTransaction(context.db, (connection) =>
    changeEach(connection, references, (runs) => moveToTrash(connection, runs, false)),
  );
}

async function moveToTrash(connection: Connection, runs: RunRecord[], inTrash: boolean): Promise<Map<string, Change>> {
  const changes = new Map<string, Change>();
  const moved = await setInTrash(
    connection,
    runs.map((run) => run.id),
    inTrash,
  );
  const event = inTrash
    ? ({ type: 'deleted', message: 'Moved to the trash' } as const)
    : ({ type: 'restored', message: 'Taken back out of the trash' } as const);
  await addRunEvents(
    connection,
    moved.map((run) => ({ runId: run.id, ...event })),
  );
  await sendNotifications(connection, runNotifications(moved));
  for (const run of runs) changes.set(run.id, { refused: whyNot(run, inTrash) });
  for (const run of moved) changes.set(run.id, { run });
  return changes;
}

function whyNot(run: RunRecord, inTrash: boolean): string {
  if (inTrash && run.state === 'RUNNING') return `run ${run.number} is running: cancel it first`;
  return inTrash ? `run ${run.number} is in the trash already` : `run ${run.number} is not in the trash`;
}
