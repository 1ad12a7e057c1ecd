import { z } from 'zod';
import { badInput, type ErrorRecord, WarrenError } from '#src/base/contracts/errors.ts';
import type { RunAttempt } from '#src/base/contracts/runAttempt.ts';
import type { RunState } from '#src/base/contracts/runState.ts';
import { HEARTBEAT_LEASE_SECONDS, REPORT_LEASE_SECONDS } from '#src/base/platform/timing.ts';
import { shownValue } from '#src/base/lib/shownValue.ts';
import { closeAttempt, insertAttempt } from '#src/runs/store/attemptRecord.ts';
import { findConfigurations, upsertConfiguration } from '#src/runs/store/configurationRecord.ts';
import { type Connection, inTransaction } from '#src/base/database/connection.ts';
import { describeExternalRun, describeProgram, describeTrialRun } from '#src/external/store/externalRunContent.ts';
import { insertRuns } from '#src/runs/store/insertRuns.ts';
import { endRun } from '#src/runs/store/moveRun.ts';
import { findProjects, upsertProject } from '#src/projects/store/projectRecord.ts';
import { addRunEvents } from '#src/runs/store/runEvent.ts';
import { findRunsById, type RunRecord } from '#src/runs/store/runRecord.ts';
import { runNotifications, sendNotifications } from '#src/base/database/sendNotifications.ts';
import { settleWaitingRuns } from '#src/runs/store/waitingRuns.ts';
import { addRunJobs } from '#src/runs/addRunJobs.ts';
import { checkedObject, externalConfiguration } from '#src/runs/externalConfiguration.ts';
import { findForkPlace, forkedParameters, inheritPoints } from './forkedRun.ts';
import { invariant } from '#src/base/lib/invariant.ts';
import { laidOver } from '#src/base/lib/laidOver.ts';
import { checkedTags, checkedInteger, checkedName, checkedUser } from '#src/base/contracts/runFields.ts';
import { hearExternalRun, hearProgram, lockExternalRun, whyRefused } from '#src/runs/externalRun.ts';
import { requireRun } from '#src/runs/findRun.ts';
import { programName } from './programName.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';

/** What a program says of its run when it begins. */
interface BeginningProgram {
  name: string | null;
  parameters: Record<string, unknown>;
  datasetName: string | null;
  tags: readonly string[];
  notes: string;
  environment: Record<string, unknown>;
}

/**
 * The run of a trial that an agent has taken, whose program begins: what it says of itself is added once. Values that the
 * sweep has drawn stay as they are.
 * @returns null where the run is none, or not there.
 * @throws WarrenError like `hearExternalRun`.
 */
async function joinTrial(
  connection: Connection,
  id: string,
  { name, parameters, datasetName, tags, notes, environment }: BeginningProgram,
): Promise<RunRecord | null> {
  const [found] = await findRunsById(connection, [id]);
  if (found?.sweepId == null) return null;
  const [drawn] = await findConfigurations(connection, [found.configurationHash]);
  invariant(drawn !== undefined, `run ${found.number} has no configuration`);
  if (drawn.kind !== 'external') return null;
  const run = await hearExternalRun(connection, id);
  const all = checkedObject(laidOver(parameters, drawn.parameters), 'parameters');
  const configuration = externalConfiguration(all, drawn.datasetName ?? datasetName);
  await upsertConfiguration(connection, configuration);
  const described = await describeTrialRun(connection, id, {
    name: name ?? run.name,
    tags: checkedTags([...run.tags, ...tags]),
    ...{ notes, environment, configurationHash: configuration.hash },
  });
  if (described === null) return run;
  await sendNotifications(connection, runNotifications([described]));
  return described;
}

export interface CreateRunInput {
  /** Chosen by the program, so that a repeated call makes no second run; a new one unless given. */
  id?: string | null | undefined;
  project?: string | undefined;
  name?: string | null | undefined;
  /** What the program runs, free in form. */
  parameters?: unknown;
  datasetName?: string | null | undefined;
  /** The user name that the program runs under; that of who asks unless given. */
  user?: string | null | undefined;
  seed?: number | undefined;
  tags?: readonly string[] | undefined;
  notes?: string | null | undefined;
  /** Where the program runs, free in form. */
  environment?: unknown;
  /** Whether the program sends heartbeats while it has nothing to report. */
  heartbeats?: boolean | undefined;
  /** Silence after which the run counts as crashed; the server's lease for programs with or without heartbeats unless given. */
  leaseSeconds?: number | null | undefined;
  /** The run (id or number) from which it branches off, and the last step that it takes from there. */
  forkFrom?: { runId: string; step: number } | null | undefined;
}

/** Silence after which an external run counts as crashed, in seconds, where it asks for no lease of its own. */
export interface ExternalLeases {
  withHeartbeats: number;
  withoutHeartbeats: number;
}

const DEFAULT_LEASES: ExternalLeases = {
  withHeartbeats: HEARTBEAT_LEASE_SECONDS,
  withoutHeartbeats: REPORT_LEASE_SECONDS,
};
const SHORTEST_LEASE_SECONDS = 5;
/** 30 days. */
const LONGEST_LEASE_SECONDS = 2_592_000;

/**
 * Starts a run that a program of the user's own executes: it is `RUNNING` until `finishExternalRun`, or until nothing was
 * heard of it for the length of its lease. The program of a command joins the run that its worker executes.
 */
export async function createExternalRun(
  context: Pick<ServiceContext, 'db' | 'userName'>,
  input: CreateRunInput,
  { leases = DEFAULT_LEASES, attempt }: { leases?: ExternalLeases | undefined; attempt?: RunAttempt | undefined } = {},
): Promise<RunRecord> {
  const id = input.id == null ? undefined : checkedId(input.id);
  const datasetName = input.datasetName == null ? null : checkedName(input.datasetName, 'datasetName');
  const parameters = checkedObject(input.parameters ?? {}, 'parameters');
  const environment = checkedObject(input.environment ?? {}, 'environment');
  const name = input.name == null ? (programName(environment) ?? 'external') : checkedName(input.name, 'name');
  const seed = checkedInteger(input.seed ?? 0, { path: 'seed', minimum: 0, maximum: 2_147_483_647 });
  const tags = checkedTags(input.tags ?? []);
  const user = checkedUser(input.user) ?? context.userName ?? null;
  const leaseSeconds = checkedInteger(
    input.leaseSeconds ?? (input.heartbeats === true ? leases.withHeartbeats : leases.withoutHeartbeats),
    { path: 'leaseSeconds', minimum: SHORTEST_LEASE_SECONDS, maximum: LONGEST_LEASE_SECONDS },
  );
  const projectName = checkedName(input.project ?? 'default', 'project');
  return await inTransaction(context.db, async (connection) => {
    const joined = id === undefined ? null : await joinCommand(connection, id, { input, environment, attempt });
    if (joined !== null) return joined;
    const said = { name: input.name ?? null, parameters, datasetName, tags, notes: input.notes ?? '', environment };
    const ofTrial = id === undefined ? null : await joinTrial(connection, id, said);
    if (ofTrial !== null) return ofTrial;
    // A repeated call: the run from which it branched off may have gone since.
    if (id !== undefined && input.forkFrom != null && (await findRunsById(connection, [id])).length > 0) {
      return await lockExternalRun(connection, id);
    }
    const { id: projectId } = await upsertProject(connection, projectName);
    const fork = await findForkPlace(connection, input.forkFrom);
    const configuration = externalConfiguration(
      checkedObject(forkedParameters(fork, parameters), 'parameters'),
      datasetName ?? fork?.configuration?.datasetName ?? null,
    );
    await upsertConfiguration(connection, configuration);
    const place = fork === null ? undefined : { parentId: fork.parent.id, step: fork.step };
    const common = {
      projectId,
      configurationHash: configuration.hash,
      state: 'RUNNING',
      tags,
      user,
      fork: place,
    } as const;
    const runs = await insertRuns(
      connection,
      { ...common, priority: 1000, requiresGpu: false, maxAttempts: 1, attempt: 1, leaseSeconds },
      [{ id, name, seed }],
    );
    const run = runs[0];
    // its id is taken: the same call came before, or another process of the same job
    if (run === undefined) return await lockExternalRun(connection, id ?? '');
    await describeExternalRun(connection, run.id, { notes: input.notes ?? '', environment });
    const executor = { workerId: null, workerName: '', backend: null, device: null, resumedFromStep: null };
    await insertAttempt(connection, { runId: run.id, number: 1, ...executor });
    if (fork !== null) await inheritPoints(connection, run.id, fork);
    else await addRunEvents(connection, [{ runId: run.id, type: 'started', message: 'Started by another program' }]);
    await sendNotifications(connection, runNotifications([run]));
    return run;
  });
}

/** Branches a run off from another, under its name and seed and in its project. */
export async function forkExternalRun(
  context: Pick<ServiceContext, 'db' | 'userName'>,
  { runId, step, id }: { runId: string; step: number; id?: string | null | undefined },
  options: Parameters<typeof createExternalRun>[2] = {},
): Promise<RunRecord> {
  const parent = await requireRun(context, runId, 'runId');
  const [project] = await findProjects(context.db, [parent.projectId]);
  const { name, seed, tags } = parent;
  const input = { id, project: project?.name, name, seed, tags, forkFrom: { runId: parent.id, step } };
  return await createExternalRun(context, input, options);
}

/** The run of a command whose program begins to log into it; null where the run is none, or not there. */
async function joinCommand(
  connection: Connection,
  id: string,
  program: { input: CreateRunInput; environment: Record<string, unknown>; attempt?: RunAttempt | undefined },
): Promise<RunRecord | null> {
  const [found] = await findRunsById(connection, [id]);
  const [configuration] = found === undefined ? [] : await findConfigurations(connection, [found.configurationHash]);
  if (configuration?.kind !== 'command') return null;
  if (program.input.forkFrom != null) {
    throw badInput('forkFrom: the run of a command begins anew; its program can read the other run', 'forkFrom');
  }
  const run = await hearProgram(connection, id, { attempt: program.attempt });
  const config = checkedObject(program.input.parameters ?? {}, 'parameters');
  await describeProgram(connection, id, { ...program.environment, config });
  await sendNotifications(connection, runNotifications([run]));
  return run;
}

function checkedId(id: string): string {
  if (z.guid().safeParse(id).success) return id.toLowerCase();
  throw badInput(`id: received ${shownValue(id)}, expected a UUID`, 'id');
}

export interface FinishRunInput {
  runId: string;
  /** SUCCEEDED unless given. */
  state?: RunState | undefined;
  errorMessage?: string | null | undefined;
}

/** Ends a run of another program; the same end told twice changes nothing. */
export async function finishExternalRun(context: ServiceContext, input: FinishRunInput): Promise<RunRecord> {
  const state = input.state ?? 'SUCCEEDED';
  if (state !== 'SUCCEEDED' && state !== 'FAILED' && state !== 'CANCELLED') {
    throw badInput(`state: a run ends as SUCCEEDED, FAILED or CANCELLED, not ${state}`, 'state');
  }
  const error: ErrorRecord | null =
    state === 'FAILED' ? { code: 'RUN_FAILED', message: input.errorMessage ?? 'the program gave no reason' } : null;
  const changed = await inTransaction(context.db, async (connection) => {
    const current = await lockExternalRun(connection, input.runId);
    if (current.state === state) return [current];
    // its last report: it is renewed like any other, so that a crashed run ends as its program says
    await hearExternalRun(connection, current.id);
    const run = await endRun(connection, current.id, state, error);
    // one without a lease takes reports after its end, too
    if (run === null) throw new WarrenError('CONFLICT', whyRefused(current), { path: 'runId' });
    const end = error === null ? { state } : { state, errorCode: error.code, errorMessage: error.message };
    await closeAttempt(connection, { runId: run.id, number: run.attempt }, end);
    const message = error === null ? `Ended by its program: ${state}` : `Failed: ${error.message}`;
    await addRunEvents(connection, [{ runId: run.id, type: 'ended', message }]);
    const { queued, failed } = await settleWaitingRuns(connection, run.id);
    await sendNotifications(connection, runNotifications([run, ...queued, ...failed]));
    return [run, ...queued];
  });
  await addRunJobs(context, changed);
  return changed[0]!;
}
