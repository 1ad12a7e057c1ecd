import { z } from 'zod';
import { filledLine } from '#src/catalog/commandLine.ts';
import { badInput } from '#src/base/contracts/errors.ts';
import { HEARTBEAT_LEASE_SECONDS } from '#src/base/platform/timing.ts';
import { invariant } from '#src/base/lib/invariant.ts';
import { shownValue } from '#src/base/lib/shownValue.ts';
import { proposeTrial } from '#src/sweeps/search/proposeTrial.ts';
import { nestedParameters, type Point } from '#src/sweeps/search/searchSpace.ts';
import { trialLine } from '#src/sweeps/search/sweepCommand.ts';
import { AGENTS_KIND, sweepDefinitionSchema } from '#src/sweeps/search/sweepDefinition.ts';
import { historyOf } from '#src/sweeps/search/trialState.ts';
import { insertAttempt } from '#src/runs/store/attemptRecord.ts';
import { type Connection, inTransaction } from '#src/base/database/connection.ts';
import { runNotifications, sendNotifications } from '#src/base/database/sendNotifications.ts';
import { addRunEvents } from '#src/runs/store/runEvent.ts';
import { upsertConfiguration } from '#src/runs/store/configurationRecord.ts';
import { insertRuns } from '#src/runs/store/insertRuns.ts';
import { findRunsById, type RunRecord } from '#src/runs/store/runRecord.ts';
import { findConfirmationOf, holdConfirmation, listUntakenConfirmations } from '#src/sweeps/store/sweepConfirmation.ts';
import { lockSweep, type SweepRecord } from '#src/sweeps/store/sweepRecord.ts';
import { insertTrial, listTrialRuns } from '#src/sweeps/store/sweepTrial.ts';
import { externalConfiguration } from '#src/runs/externalConfiguration.ts';
import { checkedUser } from '#src/base/contracts/runFields.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { confirmingRun } from './confirmSweep.ts';
import { requireSweep } from './findSweep.ts';
import { endSweep, readProgress, type SweepProgress } from './sweepProgress.ts';
import { readSweep, type SweepView } from './sweepView.ts';

export interface TakeTrialInput {
  /** Id or number of the sweep. */
  sweep: string;
  /** A UUID that the agent has chosen: the same call again answers the same run. */
  runId: string;
  /** The user name that the agent runs under; that of who asks, or of the sweep, unless given. */
  user?: string | null | undefined;
}

/** A run of a trial that an agent is to execute now; without one, whether to ask again later, and why. */
export interface TakenTrial {
  outcome: 'TAKEN' | 'WAIT' | 'ENDED';
  reason: string;
  run: RunRecord | null;
  trial: number | null;
  point: Point | null;
  /** What the agent executes, where the sweep says it. */
  line: string[] | null;
}

/** A place of a trial that no run holds. */
interface Place {
  trial: number;
  point: Point;
  seed: number;
  /** True where the trial is executed once more, with a seed that its sweep has not used. */
  confirms: boolean;
}

/**
 * Gives an agent, a program of the user's own, the next run of a sweep to execute: one that is to confirm a trial, whatever the
 * sweep's state, else that of a seed which a trial lacks, or whose run crashed, else that of a trial which is drawn now. Draw
 * and run come in one transaction under the lock of the sweep, so any number of agents may ask at once, and a call whose answer
 * was lost is asked again.
 * @throws WarrenError NOT_FOUND; BAD_INPUT where workers execute the trials of the sweep, or the run is another one.
 */
export async function takeTrial(
  context: Pick<ServiceContext, 'db' | 'userName'>,
  input: TakeTrialInput,
  { leaseSeconds = HEARTBEAT_LEASE_SECONDS }: { leaseSeconds?: number | undefined } = {},
): Promise<TakenTrial> {
  const runId = checkedRunId(input.runId);
  const user = checkedUser(input.user) ?? context.userName ?? null;
  const { id, number, definition } = await requireSweep(context, input.sweep);
  const { kind } = sweepDefinitionSchema.parse(definition);
  if (kind !== AGENTS_KIND) {
    throw badInput(`sweep: workers execute the trials of sweep ${number}, which is over ${kind}`, 'sweep');
  }
  return await inTransaction(context.db, async (connection) => {
    const sweep = await lockSweep(connection, id);
    invariant(sweep !== null, `sweep ${input.sweep} is gone`);
    const known = await takenBefore(connection, sweep, runId);
    if (known !== null) return known;
    const by = { runId, user: user ?? sweep.user, leaseSeconds };
    const confirmation = await confirmationPlace(connection, sweep);
    if (confirmation !== null) {
      await holdConfirmation(connection, { sweepId: sweep.id, seed: confirmation.seed, runId });
      return await take(connection, sweep, confirmation, by);
    }
    if (sweep.state === 'PAUSED') return none('WAIT', sweep.reason);
    if (sweep.state !== 'RUNNING') return none('ENDED', sweep.reason);
    const progress = await readProgress(connection, sweep);
    const place = (await freePlace(connection, progress.view)) ?? (await drawPlace(connection, progress));
    if ('outcome' in place) return place;
    return await take(connection, sweep, place, by);
  });
}

/** Who takes a place. */
interface Taker {
  runId: string;
  user: string | null;
  leaseSeconds: number;
}

async function take(connection: Connection, sweep: SweepRecord, place: Place, by: Taker): Promise<TakenTrial> {
  const run = await insertRun(connection, sweep, place, by);
  await sendNotifications(connection, [...runNotifications([run]), { type: 'sweep', sweepId: sweep.id }]);
  return taken(sweep, place, run);
}

function checkedRunId(id: string): string {
  if (z.guid().safeParse(id).success) return id.toLowerCase();
  throw badInput(`runId: received ${shownValue(id)}, expected a UUID`, 'runId');
}

function none(outcome: 'WAIT' | 'ENDED', reason: string): TakenTrial {
  return { outcome, reason, run: null, trial: null, point: null, line: null };
}

function taken(sweep: SweepRecord, { point, trial }: Pick<Place, 'point' | 'trial'>, run: RunRecord): TakenTrial {
  const { agentLine } = sweepDefinitionSchema.parse(sweep.definition);
  const line = agentLine === null ? null : filledLine(trialLine(agentLine, point), { ...point, seed: run.seed });
  return { outcome: 'TAKEN', reason: '', run, trial, point, line };
}

/** What the same call was answered before; null where it was not asked. */
async function takenBefore(connection: Connection, sweep: SweepRecord, runId: string): Promise<TakenTrial | null> {
  const [run] = await findRunsById(connection, [runId]);
  if (run === undefined) return null;
  const { trials } = await readSweep(connection, sweep);
  const trial = run.sweepId === sweep.id ? trials.find(({ number }) => number === run.sweepTrial) : undefined;
  if (trial !== undefined) return taken(sweep, { trial: trial.number, point: trial.point }, run);
  const confirmation = run.sweepId === sweep.id ? await findConfirmationOf(connection, runId) : null;
  if (confirmation !== null) return taken(sweep, confirmation, run);
  throw badInput(`runId: run ${run.number} is no trial of sweep ${sweep.number}`, 'runId');
}

/** A trial that is to be executed once more, with a seed that no run holds. */
async function confirmationPlace(connection: Connection, { id, definition }: SweepRecord): Promise<Place | null> {
  const { maxAttempts } = sweepDefinitionSchema.parse(definition);
  const [wanted] = await listUntakenConfirmations(connection, id, maxAttempts);
  return wanted === undefined ? null : { ...wanted, confirms: true };
}

/** The first seed of the first open trial that no run holds: none was made for it, or it crashed. */
async function freePlace(connection: Connection, { sweep, definition, trials }: SweepView): Promise<Place | null> {
  const open = trials.find(({ untaken }) => untaken > 0);
  if (open === undefined) return null;
  const { number: trial, point } = open;
  const runs = await listTrialRuns(connection, { sweepId: sweep.id, from: trial, metric: null });
  // a run that crashed does not hold its seed: another agent takes it up
  const held = new Set(runs.filter((run) => run.trial === trial && run.state !== 'CRASHED').map((run) => run.seed));
  const seed = definition.seeds.find((one) => !held.has(one));
  invariant(seed !== undefined, `trial ${trial} of sweep ${sweep.number} has a seed that no run holds`);
  return { trial, point, seed, confirms: false };
}

/** Draws a trial where the sweep is to have another one, else says why not. */
async function drawPlace(connection: Connection, { view, space, step }: SweepProgress): Promise<Place | TakenTrial> {
  const { sweep, definition, trials } = view;
  switch (step.do) {
    case 'wait':
      return none('ENDED', step.ending ?? '');
    case 'finish':
    case 'pause':
      await endSweep(connection, sweep.id, step);
      return none(step.do === 'finish' ? 'ENDED' : 'WAIT', step.reason);
    default: {
      const { method, seed, metric, seeds } = definition;
      const number = trials.length;
      const history = historyOf(trials, metric?.goal ?? 'minimize');
      const point = proposeTrial({ method, space, seed, number, history });
      invariant(point !== null, `sweep ${sweep.number} has no point ${number}`);
      await insertTrial(connection, { sweepId: sweep.id, number, point, error: null });
      return { trial: number, point, seed: seeds[0]!, confirms: false };
    }
  }
}

async function insertRun(
  connection: Connection,
  sweep: SweepRecord,
  { trial, point, seed, confirms }: Place,
  { runId, user, leaseSeconds }: Taker,
): Promise<RunRecord> {
  const definition = sweepDefinitionSchema.parse(sweep.definition);
  const { dataset, priority, maxAttempts } = definition;
  const { name, tags } = confirms
    ? confirmingRun(sweep, { definition, trial })
    : { name: `${sweep.name.slice(0, 180)} · trial ${trial}`, tags: definition.tags };
  const configuration = externalConfiguration(nestedParameters(point), typeof dataset === 'string' ? dataset : null);
  await upsertConfiguration(connection, configuration);
  const [run] = await insertRuns(
    connection,
    {
      ...{ projectId: sweep.projectId, configurationHash: configuration.hash, state: 'RUNNING', tags, user, priority },
      ...{ requiresGpu: false, maxAttempts, attempt: 1, leaseSeconds },
      sweep: { id: sweep.id, trial: confirms ? null : trial },
    },
    [{ id: runId, name, seed }],
  );
  invariant(run !== undefined, `run ${runId} came between`);
  const executor = { workerId: null, workerName: '', backend: null, device: null, resumedFromStep: null };
  await insertAttempt(connection, { runId, number: 1, ...executor });
  const message = `Taken by an agent ${confirms ? 'to confirm' : 'as'} trial ${trial} of sweep ${sweep.number}`;
  await addRunEvents(connection, [{ runId, type: 'started', message }]);
  return run;
}
