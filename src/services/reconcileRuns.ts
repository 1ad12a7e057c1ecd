import { LEASE_MS } from '../contracts/timing.ts';
import { type Connection, inTransaction } from '../store/connection.ts';
import { listDueRuns, lockExpiredRuns, lockReconciler } from '../store/reconciliation.ts';
import type { RunRecord } from '../store/runRecord.ts';
import { runHints, sendHints } from '../store/sendHints.ts';
import { settleWaitingRuns } from '../store/waitingRuns.ts';
import { addRunJobs } from './addRunJobs.ts';
import { loseAttempt } from './loseAttempt.ts';
import type { ServiceContext } from './serviceContext.ts';

/** What one reconciler remembers between its ticks. */
export interface ReconcilerState {
  /** Monotonic milliseconds of the last tick that reached the database; null before the first. */
  lastTickMs: number | null;
  /** Nothing is expired before this, in monotonic milliseconds. */
  quietUntilMs: number;
}

export interface ReconcileSummary {
  /** False when another process was reconciling. */
  ran: boolean;
  /** Attempts whose lease had expired. */
  lost: number;
  /** Waiting runs that became queued. */
  released: number;
  /** Runs that ended because they cannot be executed any more. */
  ended: number;
  /** Queued runs whose jobs were added again where the queue did not know them. */
  offered: number;
}

export function createReconcilerState(): ReconcilerState {
  return { lastTickMs: null, quietUntilMs: 0 };
}

/**
 * One look at what should be going on: attempts whose lease has expired are lost (their runs queued again from the last
 * checkpoint, cancelled when that was asked for, or failed when their attempts are used up), waiting runs are released,
 * and the jobs of due runs are added again, which the queue ignores where it knows them.
 *
 * Call it every `RECONCILE_MS`, from any number of processes: one at a time does the work. A reconciler that could not
 * reach the database, or has just started, expires nothing for `LEASE_MS`: in that time workers that were cut off
 * together with it renew their leases.
 */
export async function reconcileRuns(
  context: ServiceContext,
  state: ReconcilerState,
  monotonicMs: () => number = () => performance.now(),
): Promise<ReconcileSummary> {
  const startedMs = monotonicMs();
  if (state.lastTickMs === null || startedMs - state.lastTickMs > LEASE_MS) {
    state.quietUntilMs = startedMs + LEASE_MS;
  }
  const mayExpire = startedMs >= state.quietUntilMs;
  let result: { summary: ReconcileSummary; due: RunRecord[] };
  try {
    result = await inTransaction(context.db, (connection) => reconcile(connection, mayExpire));
  } catch (error) {
    state.lastTickMs = null;
    throw error;
  }
  state.lastTickMs = monotonicMs();
  await addRunJobs(context, result.due);
  return result.summary;
}

async function reconcile(
  connection: Connection,
  mayExpire: boolean,
): Promise<{ summary: ReconcileSummary; due: RunRecord[] }> {
  const summary: ReconcileSummary = { ran: false, lost: 0, released: 0, ended: 0, offered: 0 };
  if (!(await lockReconciler(connection))) return { summary, due: [] };
  const changed: RunRecord[] = [];
  for (const run of mayExpire ? await lockExpiredRuns(connection) : []) {
    const error = { code: 'WORKER_LOST', message: 'nothing was heard of its worker any more' } as const;
    changed.push(...(await loseAttempt(connection, run, { state: 'LOST', error })));
    summary.lost += 1;
  }
  const settled = await settleWaitingRuns(connection);
  changed.push(...settled.queued, ...settled.failed);
  await sendHints(connection, runHints(changed));
  const requeued = changed.filter((run) => run.state === 'QUEUED');
  const due = [...requeued, ...(await listDueRuns(connection))];
  summary.ran = true;
  summary.released = settled.queued.length;
  summary.ended = changed.length - requeued.length;
  summary.offered = due.length;
  return { summary, due };
}
