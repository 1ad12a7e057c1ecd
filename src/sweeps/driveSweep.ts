import { toErrorRecord } from '#src/base/contracts/errors.ts';
import { assertNever } from '#src/base/lib/assertNever.ts';
import type { NextStep } from '#src/sweeps/search/nextStep.ts';
import { proposeTrial } from '#src/sweeps/search/proposeTrial.ts';
import type { SearchSpace } from '#src/sweeps/search/searchSpace.ts';
import { AGENTS_KIND } from '#src/sweeps/search/sweepDefinition.ts';
import { historyOf } from '#src/sweeps/search/trialState.ts';
import { type Connection, inTransaction } from '#src/base/database/connection.ts';
import { findProjects } from '#src/projects/store/projectRecord.ts';
import type { RunRecord } from '#src/runs/store/runRecord.ts';
import { sendNotifications } from '#src/base/database/sendNotifications.ts';
import { listLiveSweepIds, lockSweep, type SweepRecord, updateSweep } from '#src/sweeps/store/sweepRecord.ts';
import { insertTrial, listOpenSweepRuns } from '#src/sweeps/store/sweepTrial.ts';
import { addRunJobs } from '#src/runs/addRunJobs.ts';
import { cancelRuns } from '#src/runs/cancelRuns.ts';
import { checkedInputs } from '#src/runs/runInputs.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { endSweep, readProgress } from './sweepProgress.ts';
import type { SweepView } from './sweepView.ts';
import { checkTrialRuns, insertTrialRuns, type TrialRuns } from './trialRuns.ts';

/** Trials that one transaction draws, so that none takes long. */
const DRAWN_AT_ONCE = 25;

/** What one look at a sweep did. */
interface Driven {
  queued: RunRecord[];
  /** Runs of a cancelled sweep that have not ended. */
  toCancel: string[];
  /** Whether there may be more to do at once. */
  again: boolean;
}

const NOTHING: Driven = { queued: [], toCancel: [], again: false };
const WAIT: NextStep = { do: 'wait', ending: null };

/**
 * Does what is to be done for a sweep now: draws trials and queues their runs, ends it, or cancels its runs. It decides from
 * the database alone, under a lock on the sweep's row; a trial and its runs come in one transaction. So any number of
 * processes may call this at any time and be killed at any moment: no trial is lost, doubled or drawn differently.
 */
export async function driveSweep(context: ServiceContext, id: string): Promise<void> {
  for (let again = true; again; ) {
    const driven = await inTransaction(context.db, async (connection) => {
      const sweep = await lockSweep(connection, id);
      return sweep === null ? NOTHING : await drive(connection, sweep);
    });
    await addRunJobs(context, driven.queued);
    // few at a time, as by hand; those whose workers must be told end later, and the next look sees to that
    for (let from = 0; from < driven.toCancel.length; from += 500) {
      await cancelRuns(context, driven.toCancel.slice(from, from + 500));
    }
    again = driven.again;
  }
}

/**
 * Drives every sweep that runs, or whose runs are to be cancelled. One that cannot be driven holds up no other.
 * @throws the first error, when all have had their turn.
 */
export async function driveSweeps(context: ServiceContext): Promise<void> {
  const errors: unknown[] = [];
  for (const id of await listLiveSweepIds(context.db)) {
    await driveSweep(context, id).catch((error: unknown) => errors.push(error));
  }
  if (errors.length > 0) throw errors[0];
}

async function drive(connection: Connection, sweep: SweepRecord): Promise<Driven> {
  if (sweep.state === 'CANCELLED' && sweep.endedAt === null) return await endCancelled(connection, sweep);
  if (sweep.state !== 'RUNNING') return NOTHING;
  const { view, space, step: next } = await readProgress(connection, sweep);
  // agents draw their trials themselves
  const step = next.do === 'draw' && view.definition.kind === AGENTS_KIND ? WAIT : next;
  switch (step.do) {
    case 'wait':
      // the end of a run may have brought it here, which is news to those who watch
      await sendNotifications(connection, [{ type: 'sweep', sweepId: sweep.id }]);
      return NOTHING;
    case 'draw': {
      const problem = await missingInput(connection, view);
      if (problem !== null) {
        await updateSweep(connection, sweep.id, { state: 'PAUSED', reason: problem, ended: false });
        await sendNotifications(connection, [{ type: 'sweep', sweepId: sweep.id }]);
        return NOTHING;
      }
      const queued = await drawTrials(connection, { view, space, count: Math.min(step.trials, DRAWN_AT_ONCE) });
      await sendNotifications(connection, [{ type: 'sweep', sweepId: sweep.id }]);
      return { queued, toCancel: [], again: true };
    }
    case 'finish':
    case 'pause':
      await endSweep(connection, sweep.id, step);
      return NOTHING;
    default:
      return assertNever(step);
  }
}

async function endCancelled(connection: Connection, sweep: SweepRecord): Promise<Driven> {
  const open = await listOpenSweepRuns(connection, sweep.id);
  if (open.length > 0) return { ...NOTHING, toCancel: open };
  await updateSweep(connection, sweep.id, { state: 'CANCELLED', reason: sweep.reason, ended: true });
  await sendNotifications(connection, [{ type: 'sweep', sweepId: sweep.id }]);
  return NOTHING;
}

/** Why an input of all trials cannot be had any more; null where there is nothing wrong. */
async function missingInput(connection: Connection, { definition }: SweepView): Promise<string | null> {
  const inputs = definition.command?.inputs ?? [];
  if (inputs.length === 0) return null;
  try {
    await checkedInputs(connection, inputs, 'command');
    return null;
  } catch (error) {
    const { code, message } = toErrorRecord(error);
    if (code !== 'BAD_INPUT' && code !== 'NOT_FOUND') throw error;
    return message;
  }
}

interface Draw {
  view: SweepView;
  space: SearchSpace;
  count: number;
}

/** Draws the next trials, each beside those before it, and inserts their runs. */
async function drawTrials(connection: Connection, { view, space, count }: Draw): Promise<RunRecord[]> {
  const { sweep, definition, trials } = view;
  const [project] = await findProjects(connection, [sweep.projectId]);
  const history = historyOf(trials, definition.metric?.goal ?? 'minimize');
  const first = trials.length;
  const queued: RunRecord[] = [];
  for (let number = first; number < first + count; number++) {
    const { method, seed } = definition;
    const point = proposeTrial({ method, space, seed, number, history });
    if (point === null) break;
    const checked = checkTrial(view, { point, number, project: project?.name });
    const error = 'error' in checked ? checked.error : null;
    await insertTrial(connection, { sweepId: sweep.id, number, point, error });
    history.push({ number, point, outcome: error === null ? 'running' : 'failed' });
    if ('error' in checked) continue;
    queued.push(...(await insertTrialRuns(connection, checked, { id: sweep.id, trial: number, user: sweep.user })));
  }
  return queued;
}

/**
 * The runs of a point; the reason, where the kind refuses its parameters together.
 * @throws WarrenError NOT_FOUND where this process does not know the kind, which another may.
 */
function checkTrial(
  { sweep, definition }: SweepView,
  trial: { point: Record<string, unknown>; number: number; project: string | undefined },
): TrialRuns | { error: string } {
  const name = `${sweep.name.slice(0, 180)} · trial ${trial.number}`;
  try {
    return checkTrialRuns(definition, trial.point, { project: trial.project, name });
  } catch (error) {
    const { code, message } = toErrorRecord(error);
    if (code !== 'BAD_INPUT' && code !== 'TOO_LARGE') throw error;
    return { error: message };
  }
}
