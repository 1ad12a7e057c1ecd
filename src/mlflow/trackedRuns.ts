import { badInput, WarrenError } from '#src/base/contracts/errors.ts';
import { insertAttempt } from '#src/runs/store/attemptRecord.ts';
import { type Connection, inTransaction } from '#src/base/database/connection.ts';
import { runNotifications, sendNotifications } from '#src/base/database/sendNotifications.ts';
import { setInTrash } from '#src/runs/store/changeRuns.ts';
import {
  describeTrackedRun,
  type StatusChange,
  setTrackedEnd,
  setTrackedInTrash,
  setTrackedStatus,
  setTrackedTags,
} from '#src/mlflow/store/changeTrackedRun.ts';
import { findTrackedRuns, lockTrackedRun, type TrackedRun } from '#src/mlflow/store/trackedRun.ts';
import { settleWaitingRuns } from '#src/runs/store/waitingRuns.ts';
import { addRunEvents } from '#src/runs/store/runEvent.ts';
import { upsertConfiguration } from '#src/runs/store/configurationRecord.ts';
import { insertRuns } from '#src/runs/store/insertRuns.ts';
import { findRunsById } from '#src/runs/store/runRecord.ts';
import { externalConfiguration } from '#src/runs/externalConfiguration.ts';
import { addRunJobs } from '#src/runs/addRunJobs.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { announceMoved } from '#src/runs/announceMoved.ts';
import { refuseDeleted, requireExperimentToChange } from './experiments.ts';
import { randomInt } from 'node:crypto';

const QUALITIES =
  'able,amber,brave,bright,calm,clever,cool,eager,fair,fast,fine,gentle,glad,grand,keen,kind,lively,lucky,merry,neat,nice,noble,proud,quick,quiet,rapid,sharp,shy,silent,smooth,sunny,swift,tidy,warm,wise,witty';
const ANIMALS =
  'ant,bear,bee,cat,crane,crow,deer,dove,duck,eagle,finch,fish,fox,frog,goat,gull,hare,hawk,hen,horse,lamb,lark,lynx,mole,moth,mouse,otter,owl,pony,rabbit,ram,robin,seal,snail,swan,toad,trout,vole,whale,wolf,wren';

function oneOf(words: string): string {
  const list = words.split(',');
  return list[randomInt(list.length)] ?? '';
}

/** A name for a run that got none, such as `calm-otter-412`. */
function randomRunName(): string {
  return `${oneOf(QUALITIES)}-${oneOf(ANIMALS)}-${randomInt(1000)}`;
}

type Context = Pick<ServiceContext, 'db'>;

const HEX = /^[0-9a-f]{32}$/i;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The UUID that an MLflow run id writes without dashes; null when it is none. */
export function uuidOf(runId: string): string | null {
  if (UUID.test(runId)) return runId.toLowerCase();
  if (!HEX.test(runId)) return null;
  return runId.toLowerCase().replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** A UUID as MLflow's clients write it. */
export function mlflowRunId(uuid: string): string {
  return uuid.replaceAll('-', '');
}

function noRun(runId: string): WarrenError {
  return new WarrenError('NOT_FOUND', `Run with id=${runId} not found`);
}

/** The run of this id, in the trash or not. @throws WarrenError NOT_FOUND. */
export async function requireTrackedRun(context: Context, runId: string): Promise<TrackedRun> {
  const id = uuidOf(runId);
  const [run] = id === null ? [] : await findTrackedRuns(context.db, [id]);
  if (run === undefined) throw noRun(runId);
  return run;
}

/** Locks a run. @throws WarrenError NOT_FOUND. */
async function lockRun(connection: Connection, runId: string): Promise<TrackedRun> {
  const id = uuidOf(runId);
  const run = id === null ? null : await lockTrackedRun(connection, id);
  if (run === null) throw noRun(runId);
  return run;
}

/** Locks a run that is not in the trash. @throws WarrenError NOT_FOUND, BAD_INPUT. */
export async function lockActiveRun(connection: Connection, runId: string): Promise<TrackedRun> {
  const run = await lockRun(connection, runId);
  if (run.deletedAt === null) return run;
  throw badInput(`The run ${mlflowRunId(run.id)} must be in the 'active' state. Current state is deleted.`);
}

/** Locks a run that an MLflow client may write to. @throws WarrenError NOT_FOUND, BAD_INPUT when a worker executes it. */
export async function lockWritableRun(connection: Connection, runId: string): Promise<TrackedRun> {
  const run = await lockActiveRun(connection, runId);
  refuseOfWorkers(run);
  return run;
}

function refuseOfWorkers(run: TrackedRun): void {
  if (run.kind === 'external') return;
  throw badInput(`run ${run.number} is executed by Warren's workers: they alone write to it`, 'run_id');
}

export interface NewTrackedRun {
  experimentId: string;
  /** As the client says; "" where it says nothing. */
  userName: string;
  name: string;
  startMs: number | null;
  tags: Readonly<Record<string, string>>;
}

const LONGEST_TEXT = 500;

function checkLength(text: string, path: string): void {
  if (text.length <= LONGEST_TEXT) return;
  throw badInput(`'${path}' has ${text.length} characters; at most ${LONGEST_TEXT} are taken`, path);
}

/** Starts a run without a lease: its client says how it ends. @throws WarrenError NOT_FOUND, BAD_INPUT. */
export async function createTrackedRun(context: Context, input: NewTrackedRun): Promise<TrackedRun> {
  const named = input.tags['mlflow.runName'] ?? '';
  if (input.name !== '' && named !== '' && input.name !== named) {
    const values = `(run_name='${input.name}', mlflow.runName='${named}')`;
    throw badInput(
      `Both 'run_name' argument and 'mlflow.runName' tag are specified, but with different values ${values}.`,
    );
  }
  const name = input.name || named || randomRunName();
  checkLength(name, 'run_name');
  checkLength(input.userName, 'user_id');
  const tags: Record<string, string> = { ...input.tags, 'mlflow.runName': name };
  const configuration = externalConfiguration({}, null);
  return await inTransaction(context.db, async (connection) => {
    const experiment = await requireExperimentToChange(connection, input.experimentId);
    refuseDeleted(experiment);
    await upsertConfiguration(connection, configuration);
    const common = {
      projectId: experiment.projectId,
      configurationHash: configuration.hash,
      state: 'RUNNING',
    } as const;
    const [run] = await insertRuns(
      connection,
      { ...common, tags: [], user: input.userName, priority: 1000, requiresGpu: false, maxAttempts: 1, attempt: 1 },
      [{ name, seed: 0 }],
    );
    if (run === undefined) throw new Error('internal: the run was not made');
    const notes = tags['mlflow.note.content'] ?? '';
    await describeTrackedRun(connection, run.id, { startMs: input.startMs, tags, notes });
    const executor = { workerId: null, workerName: '', backend: null, device: null, resumedFromStep: null };
    await insertAttempt(connection, { runId: run.id, number: 1, ...executor });
    await addRunEvents(connection, [{ runId: run.id, type: 'started', message: 'Started by an MLflow client' }]);
    await sendNotifications(connection, runNotifications([run]));
    return await lockRun(connection, run.id);
  });
}

const STATES: Readonly<Record<string, StatusChange['state']>> = {
  RUNNING: 'RUNNING',
  SCHEDULED: 'RUNNING',
  FINISHED: 'SUCCEEDED',
  FAILED: 'FAILED',
  KILLED: 'CANCELLED',
};

export interface TrackedRunChange {
  runId: string;
  /** RUNNING, SCHEDULED, FINISHED, FAILED or KILLED. */
  status: string | null;
  endMs: number | null;
  name: string | null;
}

/** Changes status, end and name of a run; it may go back from an end to RUNNING. @throws WarrenError NOT_FOUND, BAD_INPUT. */
export async function updateTrackedRun(context: ServiceContext, change: TrackedRunChange): Promise<TrackedRun> {
  const state = change.status === null ? null : STATES[change.status];
  const settled = await inTransaction(context.db, async (connection) => {
    const run = await lockActiveRun(connection, change.runId);
    const queued = [];
    if (state != null && change.status !== null) {
      refuseOfWorkers(run);
      await setTrackedStatus(connection, run.id, { state, reportedStatus: change.status, endMs: change.endMs });
      const message = state === 'RUNNING' ? 'Goes on, as its program says' : `Ended by its program: ${state}`;
      const type = state === 'RUNNING' ? 'resumed' : 'ended';
      if (state !== run.state) await addRunEvents(connection, [{ runId: run.id, type, message }]);
      const waiting = await settleWaitingRuns(connection, run.id);
      queued.push(...waiting.queued);
      await sendNotifications(connection, runNotifications([...waiting.queued, ...waiting.failed]));
    } else if (change.endMs !== null) {
      refuseOfWorkers(run);
      await setTrackedEnd(connection, run.id, change.endMs);
    }
    if (change.name !== null && change.name !== '') {
      checkLength(change.name, 'run_name');
      await setTrackedTags(connection, run.id, { 'mlflow.runName': change.name });
    }
    await sendNotifications(connection, runNotifications([run]));
    return { run: await lockRun(connection, run.id), queued };
  });
  await addRunJobs(context, settled.queued);
  return settled.run;
}

/** Moves a run to the trash, or back. @throws WarrenError NOT_FOUND, BAD_INPUT while a worker executes it. */
export async function deleteTrackedRun(context: ServiceContext, runId: string, deleted: boolean): Promise<void> {
  const queued = await inTransaction(context.db, async (connection) => {
    const run = await lockRun(connection, runId);
    if (run.kind === 'external') {
      await setTrackedInTrash(connection, run.id, deleted);
    } else if ((run.deletedAt !== null) !== deleted && (await setInTrash(connection, [run.id], deleted)).length === 0) {
      throw badInput(`run ${run.number} is ${run.state}: cancel it first`, 'run_id');
    }
    if ((run.deletedAt !== null) === deleted) return [];
    return await announceMoved(connection, await findRunsById(connection, [run.id]), deleted);
  });
  await addRunJobs(context, queued);
}
