import { isFinal } from '#src/base/contracts/runState.ts';
import { type EarlyStopping, judge, rungsUpTo } from '#src/sweeps/search/earlyStopping.ts';
import { sweepDefinitionSchema } from '#src/sweeps/search/sweepDefinition.ts';
import { type Connection, inTransaction } from '#src/base/database/connection.ts';
import { closeAttempt } from '#src/runs/store/attemptRecord.ts';
import { runNotifications, sendNotifications } from '#src/base/database/sendNotifications.ts';
import { settleWaitingRuns } from '#src/runs/store/waitingRuns.ts';
import { addRunEvents } from '#src/runs/store/runEvent.ts';
import { pruneIdleRuns, requestPruning } from '#src/runs/store/changeRuns.ts';
import { findSweep, lockSweep, type SweepRecord } from '#src/sweeps/store/sweepRecord.ts';
import {
  listRungs,
  listRungValues,
  listWatchedRuns,
  meanAtIteration,
  putRung,
  type WatchedRun,
} from '#src/sweeps/store/sweepRung.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';

/** A trial that has come to a rung where it was not compared yet, or not with all of its runs. */
interface Arrival {
  trial: number;
  iteration: number;
  /** Those of its runs that have come there. */
  arrived: WatchedRun[];
}

/**
 * Compares the trials that have come to a rung with the others, and stops those that are to go on no longer. With several
 * seeds the trial is compared, by the mean over its runs that have come there, each time another one does; all of its runs
 * are stopped together. What is decided is written down with its values, under the lock on the sweep's row, so that any process
 * may do it at any time and be killed in it: nothing is decided twice.
 * @param connection A transaction that holds the lock.
 * @param trial Only this one; all of them when null.
 */
export async function judgeTrials(
  connection: Connection,
  sweep: Pick<SweepRecord, 'id' | 'definition'>,
  trial: number | null = null,
): Promise<void> {
  const stopping = stoppingOf(sweep);
  if (stopping === null) return;
  const runs = await listWatchedRuns(connection, sweep.id, { metric: stopping.metric, trial });
  const judged = await listRungs(connection, sweep.id, trial);
  const stopped = new Set<number>();
  for (const arrival of arrivalsOf(stopping, runs, judged)) {
    if (stopped.has(arrival.trial)) continue;
    const ofTrial = runs.filter((run) => run.trial === arrival.trial);
    if (!(await judgeArrival(connection, sweep.id, { stopping, arrival, ofTrial }))) stopped.add(arrival.trial);
  }
}

/**
 * `judgeTrials` for a trial of whose metrics some have just been recorded; a quick look where it has come to no rung. Never
 * fails: the controller does what could not be done here.
 */
export async function judgeReports(
  context: Pick<ServiceContext, 'db'>,
  { sweepId, sweepTrial }: { sweepId: string | null; sweepTrial: number | null },
): Promise<void> {
  if (sweepId === null || sweepTrial === null) return;
  try {
    const sweep = await findSweep(context.db, { id: sweepId });
    const stopping = sweep === null ? null : stoppingOf(sweep);
    if (stopping === null) return;
    const runs = await listWatchedRuns(context.db, sweepId, { metric: stopping.metric, trial: sweepTrial });
    const judged = await listRungs(context.db, sweepId, sweepTrial);
    if (arrivalsOf(stopping, runs, judged).length === 0) return;
    await inTransaction(context.db, async (connection) => {
      const locked = await lockSweep(connection, sweepId);
      if (locked !== null) await judgeTrials(connection, locked, sweepTrial);
    });
  } catch {
    // the next look of the controller
  }
}

function stoppingOf({ definition }: Pick<SweepRecord, 'definition'>): EarlyStopping | null {
  return sweepDefinitionSchema.parse(definition).earlyStopping;
}

/** What is to be judged, the smallest iteration first, then by trial: an order that the database alone decides. */
function arrivalsOf(
  stopping: EarlyStopping,
  runs: readonly WatchedRun[],
  judged: readonly { trial: number; iteration: number; runs: number }[],
): Arrival[] {
  const known = new Map(judged.map((rung) => [`${rung.trial} ${rung.iteration}`, rung.runs]));
  const arrivals: Arrival[] = [];
  const byTrial = new Map<number, WatchedRun[]>();
  for (const run of runs) byTrial.set(run.trial, [...(byTrial.get(run.trial) ?? []), run]);
  for (const [trial, ofTrial] of byTrial) {
    const furthest = Math.max(...ofTrial.map(({ points }) => points));
    for (const iteration of rungsUpTo(stopping, furthest)) {
      const arrived = ofTrial.filter(({ points }) => points >= iteration);
      if (arrived.length > (known.get(`${trial} ${iteration}`) ?? 0)) arrivals.push({ trial, iteration, arrived });
    }
  }
  return arrivals.sort((a, b) => a.iteration - b.iteration || a.trial - b.trial);
}

/** Returns whether the trial goes on. */
async function judgeArrival(
  connection: Connection,
  sweepId: string,
  { stopping, arrival, ofTrial }: { stopping: EarlyStopping; arrival: Arrival; ofTrial: readonly WatchedRun[] },
): Promise<boolean> {
  const { trial, iteration, arrived } = arrival;
  const best = stopping.goal === 'minimize' ? 'minimum' : 'maximum';
  const series = arrived.flatMap(({ seriesId }) => seriesId ?? []);
  const of = stopping.summary === 'last' ? 'last' : best;
  const value = await meanAtIteration(connection, series, { iteration, of });
  const known = await listRungValues(connection, sweepId, { iteration, trial });
  const { goesOn, why } = judge(stopping, { trial, iteration, value }, known);
  const open = ofTrial.filter(({ state }) => !isFinal(state));
  const kept = goesOn || open.length === 0 || ofTrial.some(({ spared }) => spared);
  await putRung(connection, sweepId, { trial, iteration, value, runs: arrived.length, kept });
  if (kept) return true;
  const reason = `${stopping.metric} ${value.toPrecision(4)} at iteration ${iteration}: ${why}`;
  await prune(
    connection,
    open.map(({ id }) => id),
    reason,
  );
  return false;
}

async function prune(connection: Connection, ids: readonly string[], reason: string): Promise<void> {
  const ended = await pruneIdleRuns(connection, ids);
  for (const run of ended.filter(({ attempt }) => attempt > 0)) {
    await closeAttempt(connection, { runId: run.id, number: run.attempt }, { state: 'PRUNED' });
  }
  const asked = await requestPruning(connection, ids);
  await addRunEvents(connection, [
    ...ended.map((run) => ({ runId: run.id, type: 'ended', message: `Stopped early: ${reason}` }) as const),
    ...asked.map((run) => ({ runId: run.id, type: 'pruneRequested', message: `To stop early: ${reason}` }) as const),
  ]);
  const settled = ended.length > 0 ? await settleWaitingRuns(connection) : { queued: [], failed: [] };
  await sendNotifications(connection, [
    ...asked.map((run) => ({ type: 'cancel', runId: run.id }) as const),
    ...runNotifications([...ended, ...asked, ...settled.queued, ...settled.failed]),
  ]);
}
