import { TIMING } from '#src/base/platform/timing.ts';
import { requireRoom } from '#src/base/platform/postgres/requireRoom.ts';
import { type Connection, inTransaction } from '#src/base/database/connection.ts';
import { noteListening } from '#src/runs/store/externalLease.ts';
import {
  type DuePage,
  listDueRuns,
  lockExpiredRuns,
  lockReconciler,
  type QueuePlace,
  shortenLeases,
  shortenWaits,
} from '#src/queue/store/reconciliation.ts';
import type { RunRecord } from '#src/runs/store/runRecord.ts';
import { runNotifications, sendNotifications } from '#src/base/database/sendNotifications.ts';
import { settleWaitingRuns } from '#src/runs/store/waitingRuns.ts';
import { addRunJobs, promoteRunJobs } from '#src/runs/addRunJobs.ts';
import { crashRun } from '../external/crashRun.ts';
import { loseAttempt } from './loseAttempt.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { driveDecisions } from '../decisions/driveDecision.ts';
import { driveSweeps } from '../sweeps/driveSweep.ts';

/** What one reconciler remembers between its ticks. */
export interface ReconcilerState {
  /** Monotonic milliseconds of the last tick that reached the database; null before the first. */
  lastTickMs: number | null;
  /** The database's clock at that tick, in Unix milliseconds. */
  lastClockMs?: number;
  /** Nothing is expired before this, in monotonic milliseconds. */
  quietUntilMs: number;
  /** Whether this process takes the reports of external runs, so that their silence means something. */
  hearsPrograms?: boolean;
  /** Behind which place of each sort of queue the next tick looks for due runs, so that in time it looks at all of them. */
  places?: Readonly<Record<DuePage['of'], QueuePlace | null>>;
}

export interface ReconcileSummary {
  /** False when another process was reconciling. */
  ran: boolean;
  /** Attempts whose lease had expired. */
  lost: number;
  /** External runs of whose programs nothing was heard any more. */
  crashed: number;
  /** Waiting runs that became queued. */
  released: number;
  /** Runs that ended because they cannot be executed any more. */
  ended: number;
  /** Queued runs whose jobs were added again where the queue did not know them. */
  offered: number;
}

/** By more than that a clock has jumped, or the machine was asleep, which a monotonic clock does not count. */
const JUMP_MS = 10_000;

const BEGINNING = { gpu: null, 'added-kinds': null, others: null };

export function createReconcilerState({ hearsPrograms = false } = {}): ReconcilerState {
  return { lastTickMs: null, quietUntilMs: 0, hearsPrograms, places: BEGINNING };
}

/**
 * One look at what should be going on: attempts whose lease has expired are lost (their runs queued again from the last
 * checkpoint, cancelled when that was asked for, or failed when their attempts are used up), external runs whose lease has
 * expired have crashed (by the API's own reconciler alone: only that knows that programs could be heard), waiting runs are
 * released, and the jobs of due runs are added again, which the queue ignores where it knows them. Then sweeps draw their next
 * trials, and decisions their next pairs.
 *
 * Call it every `reconcileMs`, from any number of processes: one at a time does the work. A reconciler that could not
 * reach the database, or has just started, expires nothing for `leaseMs`: in that time workers that were cut off
 * together with it renew their leases. So does one that finds others shut out, as where the database's disk is full, or the
 * database's clock an hour ahead, as after the machine was asleep: nobody could renew a lease in that hour.
 */
export async function reconcileRuns(
  context: ServiceContext,
  state: ReconcilerState,
  monotonicMs: () => number = () => performance.now(),
): Promise<ReconcileSummary> {
  const startedMs = monotonicMs();
  if (state.lastTickMs === null || startedMs - state.lastTickMs > TIMING.leaseMs) {
    state.quietUntilMs = startedMs + TIMING.leaseMs;
  }
  let result: Reconciled;
  try {
    result = await inTransaction(context.db, (connection) => reconcile(context, connection, { ...state, startedMs }));
  } catch (error) {
    state.lastTickMs = null;
    throw error;
  }
  state.lastTickMs = monotonicMs();
  state.lastClockMs = result.clockMs + state.lastTickMs - startedMs;
  if (result.jumpedMs > 0) state.quietUntilMs = startedMs + TIMING.leaseMs;
  if (result.places !== undefined) state.places = result.places;
  await addRunJobs(context, [...result.requeued, ...result.due]);
  await promoteRunJobs(context, result.due);
  if (result.summary.ran) await driveStanding(context);
  return result.summary;
}

/** Sweeps and decisions alike have their turn, whichever cannot be driven. @throws the first error afterwards. */
async function driveStanding(context: ServiceContext): Promise<void> {
  try {
    await driveSweeps(context);
  } finally {
    await driveDecisions(context);
  }
}

interface Reconciled {
  summary: ReconcileSummary;
  clockMs: number;
  /** By how much the database's clock went on too far since the tick before; below 0 where it was put back. */
  jumpedMs: number;
  /** Runs that this tick queued. */
  requeued: RunRecord[];
  /** Runs that have been due for a while. */
  due: RunRecord[];
  places?: NonNullable<ReconcilerState['places']>;
}

function jumpOf(
  { lastTickMs, lastClockMs, startedMs }: ReconcilerState & { startedMs: number },
  clockMs: number,
): number {
  if (lastTickMs === null || lastClockMs === undefined) return 0;
  const jumpedMs = clockMs - lastClockMs - (startedMs - lastTickMs);
  return Math.abs(jumpedMs) > JUMP_MS ? jumpedMs : 0;
}

async function reconcile(
  { db }: ServiceContext,
  connection: Connection,
  state: ReconcilerState & { startedMs: number },
): Promise<Reconciled> {
  const { hearsPrograms = false, places = BEGINNING } = state;
  const summary: ReconcileSummary = { ran: false, lost: 0, crashed: 0, released: 0, ended: 0, offered: 0 };
  if (hearsPrograms) await noteListening(connection, TIMING.leaseMs);
  const { locked, nowMs: clockMs } = await lockReconciler(connection);
  const jumpedMs = jumpOf(state, clockMs);
  if (!locked) return { summary, clockMs, jumpedMs, requeued: [], due: [] };
  if (jumpedMs < 0) await shortenLeases(connection);
  // before the first tick it may have been put back unseen
  if (jumpedMs < 0 || state.lastTickMs === null) await shortenWaits(connection, TIMING.longestBackoffMs);
  const mayExpire = state.startedMs >= state.quietUntilMs && jumpedMs <= 0;
  const changed: RunRecord[] = [];
  const expired = await lockExpiredRuns(connection, { external: hearsPrograms });
  if (expired.length > 0) await requireRoom(db);
  for (const run of mayExpire ? expired : []) {
    if (run.leaseSeconds !== null) {
      const crashed = await crashRun(connection, run);
      if (crashed !== null) changed.push(crashed);
      summary.crashed += 1;
      continue;
    }
    const error = { code: 'WORKER_LOST', message: 'its worker no longer responds' } as const;
    changed.push(...(await loseAttempt(connection, run, { state: 'LOST', error })));
    summary.lost += 1;
  }
  const settled = await settleWaitingRuns(connection);
  changed.push(...settled.queued, ...settled.failed);
  await sendNotifications(connection, runNotifications(changed));
  const requeued = changed.filter((run) => run.state === 'QUEUED');
  const gpu = await listDueRuns(connection, { of: 'gpu', after: places.gpu });
  const added = await listDueRuns(connection, { of: 'added-kinds', after: places['added-kinds'] });
  const others = await listDueRuns(connection, { of: 'others', after: places.others });
  const due = [...gpu.runs, ...added.runs, ...others.runs];
  summary.ran = true;
  summary.released = settled.queued.length;
  summary.ended = changed.length - requeued.length;
  summary.offered = requeued.length + due.length;
  return {
    summary,
    clockMs,
    jumpedMs,
    requeued,
    due,
    places: { gpu: gpu.next, 'added-kinds': added.next, others: others.next },
  };
}
