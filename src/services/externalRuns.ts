import { kindByName } from '../catalog/kinds.ts';
import { badInput, type ErrorRecord, WarrenError } from '../contracts/errors.ts';
import type { RunState } from '../contracts/runState.ts';
import { stableHash } from '../lib/stableHash.ts';
import { closeAttempt, insertAttempt } from '../store/attemptRecord.ts';
import { upsertConfiguration } from '../store/configurationRecord.ts';
import { inTransaction } from '../store/connection.ts';
import { insertRuns } from '../store/insertRuns.ts';
import { endRun } from '../store/moveRun.ts';
import { upsertProject } from '../store/projectRecord.ts';
import { addRunEvents } from '../store/runEvent.ts';
import type { RunRecord } from '../store/runRecord.ts';
import { runHints, sendHints } from '../store/sendHints.ts';
import { settleWaitingRuns } from '../store/waitingRuns.ts';
import { addRunJobs } from './addRunJobs.ts';
import { requireRunningExternal } from './externalRun.ts';
import { checkedInteger, checkedName, checkedTags } from './runFields.ts';
import type { ServiceContext } from './serviceContext.ts';

export interface CreateRunInput {
  project?: string | undefined;
  name?: string | null | undefined;
  /** What the program runs, free in form. */
  parameters?: unknown;
  datasetName?: string | null | undefined;
  seed?: number | undefined;
  tags?: readonly string[] | undefined;
}

/** Starts a run that a program of the user's own executes: it is `RUNNING` until `finishExternalRun`. */
export async function createExternalRun(
  context: Pick<ServiceContext, 'db'>,
  input: CreateRunInput,
): Promise<RunRecord> {
  const definition = kindByName('external');
  const parameters = input.parameters ?? {};
  if (typeof parameters !== 'object' || Array.isArray(parameters)) {
    throw badInput(`parameters: received ${JSON.stringify(parameters)}, expected an object`, 'parameters');
  }
  const datasetName = input.datasetName == null ? null : checkedName(input.datasetName, 'datasetName');
  const dataset = datasetName === null ? null : { name: datasetName };
  const content = { kind: definition.kind, kindVersion: definition.version, dataset, parameters: { ...parameters } };
  const configuration = { ...content, datasetName, hash: stableHash(content) };
  const name = input.name == null ? 'external' : checkedName(input.name, 'name');
  const seed = checkedInteger(input.seed ?? 0, { path: 'seed', minimum: 0, maximum: 2_147_483_647 });
  const tags = checkedTags(input.tags ?? []);
  const projectName = checkedName(input.project ?? 'default', 'project');
  return await inTransaction(context.db, async (connection) => {
    const { id: projectId } = await upsertProject(connection, projectName);
    await upsertConfiguration(connection, configuration);
    const common = { projectId, configurationHash: configuration.hash, state: 'RUNNING', tags } as const;
    const runs = await insertRuns(
      connection,
      { ...common, priority: 1000, requiresGpu: false, maxAttempts: 1, attempt: 1 },
      [{ name, seed }],
    );
    const run = runs[0]!;
    const executor = { workerId: null, workerName: '', backend: null, device: null, resumedFromStep: null };
    await insertAttempt(connection, { runId: run.id, number: 1, ...executor });
    await addRunEvents(connection, [{ runId: run.id, type: 'started', message: 'Started by another program' }]);
    await sendHints(connection, runHints([run]));
    return run;
  });
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
    const current = await requireRunningExternal(connection, input.runId, { endedAs: state });
    if (current.state === state) return [current];
    const run = await endRun(connection, current.id, state, error);
    if (run === null) throw new WarrenError('CONFLICT', `run ${current.number} has ended already`, { path: 'runId' });
    const end = error === null ? { state } : { state, errorCode: error.code, errorMessage: error.message };
    await closeAttempt(connection, { runId: run.id, number: run.attempt }, end);
    const message = error === null ? `Ended by its program: ${state}` : `Failed: ${error.message}`;
    await addRunEvents(connection, [{ runId: run.id, type: 'ended', message }]);
    const { queued, failed } = await settleWaitingRuns(connection, run.id);
    await sendHints(connection, runHints([run, ...queued, ...failed]));
    return [run, ...queued];
  });
  await addRunJobs(context, changed);
  return changed[0]!;
}
