import { isFinal } from '#src/base/contracts/runState.ts';
import { type Connection, inTransaction } from '#src/base/database/connection.ts';
import { runNotifications, sendNotifications } from '#src/base/database/sendNotifications.ts';
import { addRunEvents } from '#src/runs/store/runEvent.ts';
import { setPriority } from '#src/runs/store/changeRuns.ts';
import type { RunRecord } from '#src/runs/store/runRecord.ts';
import { checkedInteger } from '#src/base/contracts/runFields.ts';
import { type Change, changeEach, type RunOutcome } from '#src/runs/runOutcome.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { addRunJobs, removeRunJobs } from '#src/runs/addRunJobs.ts';

/**
 * Gives runs that have not ended another place in the queue. It counts at once for those that wait for a worker, and for the
 * others when they are queued.
 * @param references Ids or numbers.
 * @param priority 1 is taken first, 2,097,151 last.
 */
export async function prioritizeRuns(
  context: ServiceContext,
  references: readonly string[],
  priority: number,
): Promise<RunOutcome[]> {
  const checked = checkedInteger(priority, { path: 'priority', minimum: 1, maximum: 2_097_151 });
  const outcomes = await inTransaction(context.db, (connection) =>
    changeEach(connection, references, (runs) => prioritize(connection, runs, checked)),
  );
  const moved = outcomes.flatMap(({ done, run }) => (done && run !== null && run.needs === null ? [run] : []));
  const queued = moved.filter((run) => run.state === 'QUEUED');
  // The queue keeps a job that it knows as it is. One that a worker has taken meanwhile stays with it.
  await removeRunJobs(context, queued);
  await addRunJobs(context, queued);
  return outcomes;
}

async function prioritize(connection: Connection, runs: RunRecord[], priority: number): Promise<Map<string, Change>> {
  const open = runs.filter((run) => !isFinal(run.state));
  const changed = await setPriority(
    connection,
    open.map((run) => run.id),
    priority,
  );
  const before = new Map(open.map((run) => [run.id, run.priority]));
  const different = changed.filter((run) => before.get(run.id) !== priority);
  await addRunEvents(
    connection,
    different.map((run) => ({
      runId: run.id,
      type: 'edited',
      message: `Priority ${priority} instead of ${before.get(run.id)}`,
      data: { priority },
    })),
  );
  await sendNotifications(connection, runNotifications(different));
  const changes = new Map<string, Change>(changed.map((run) => [run.id, { run }]));
  for (const run of runs.filter((other) => isFinal(other.state))) {
    changes.set(run.id, { refused: `run ${run.number} has ended already (${run.state})` });
  }
  return changes;
}
