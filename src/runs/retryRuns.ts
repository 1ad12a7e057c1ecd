import { findConfigurations } from '#src/runs/store/configurationRecord.ts';
import { reviveRuns } from '#src/runs/store/changeRuns.ts';
import { type Connection, inTransaction } from '#src/base/database/connection.ts';
import { addRunEvents } from '#src/runs/store/runEvent.ts';
import type { RunRecord } from '#src/runs/store/runRecord.ts';
import { runNotifications, sendNotifications } from '#src/base/database/sendNotifications.ts';
import { settleWaitingRuns } from '#src/runs/store/waitingRuns.ts';
import type { DataScope } from '#src/base/platform/postgres/scopedDatabase.ts';
import { coversProjects } from '../people/callerAccess.ts';
import { addRunJobs } from './addRunJobs.ts';
import { type Change, changeEach, type RunOutcome } from './runOutcome.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';

export interface CommandRights {
  mayQueueCommands?: boolean;
  commands?: DataScope | null;
}

/**
 * Puts failed, cancelled and pruned runs back into the queue as a new attempt, from their last checkpoint, with all their
 * attempts to spend again; one that was pruned is not stopped early again. A run whose input cannot come any more stays failed.
 * @param references Ids or numbers.
 * @param rights.mayQueueCommands Whether runs of kind `command`, too; `commands`: of which projects, of all when null.
 */
export async function retryRuns(
  context: ServiceContext,
  references: readonly string[],
  { mayQueueCommands = true, commands = null }: CommandRights = {},
): Promise<RunOutcome[]> {
  const mayRetry = ({ projectId }: RunRecord) => mayQueueCommands && coversProjects(commands, [projectId]);
  const outcomes = await inTransaction(context.db, (connection) =>
    changeEach(connection, references, (runs) => retry(connection, runs, mayRetry)),
  );
  await addRunJobs(
    context,
    outcomes.flatMap((outcome) => (outcome.done && outcome.run !== null ? [outcome.run] : [])),
  );
  return outcomes;
}

async function retry(
  connection: Connection,
  runs: RunRecord[],
  mayRetryCommand: (run: RunRecord) => boolean,
): Promise<Map<string, Change>> {
  const hashes = [...new Set(runs.map((run) => run.configurationHash))];
  const kinds = new Map((await findConfigurations(connection, hashes)).map((item) => [item.hash, item.kind]));
  const refusals = new Map<string, Change>();
  for (const run of runs) {
    const refused = whyNot(run, kinds.get(run.configurationHash), mayRetryCommand(run));
    if (refused !== null) refusals.set(run.id, { refused });
  }
  const revived = await reviveRuns(
    connection,
    runs.filter((run) => !refusals.has(run.id)).map((run) => run.id),
  );
  await addRunEvents(
    connection,
    revived.map((run) => ({
      runId: run.id,
      type: 'retried',
      message: `Retried: attempt ${run.attempt + 1} follows`,
      data: { attempt: run.attempt },
    })),
  );
  const waiting = revived.some((run) => run.state === 'WAITING');
  const settled = waiting ? await settleWaitingRuns(connection) : { queued: [], failed: [] };
  const now = new Map([...revived, ...settled.queued, ...settled.failed].map((run) => [run.id, run]));
  await sendNotifications(connection, runNotifications([...now.values()]));
  const changes = new Map<string, Change>(refusals);
  for (const { id } of revived) {
    const run = now.get(id)!;
    changes.set(id, run.state === 'FAILED' ? { refused: run.errorMessage ?? 'it failed again' } : { run });
  }
  return changes;
}

function whyNot(run: RunRecord, kind: string | undefined, mayQueueCommands: boolean): string | null {
  if (run.deletedAt !== null) return `run ${run.number} is in the trash: restore it first`;
  if (kind === 'command' && !mayQueueCommands) {
    return `run ${run.number} is a command: to execute it again needs a token that was made with --commands`;
  }
  if (kind === 'external') return `run ${run.number} was executed by another program: only that can run it again`;
  if (run.state !== 'FAILED' && run.state !== 'CANCELLED' && run.state !== 'PRUNED') {
    return `run ${run.number} is ${run.state}: only failed, cancelled and pruned runs can be retried`;
  }
  return null;
}
