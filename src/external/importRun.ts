import { z } from 'zod';
import { badInput, WarrenError } from '#src/base/contracts/errors.ts';
import type { RunState } from '#src/base/contracts/runState.ts';
import { shownValue } from '#src/base/lib/shownValue.ts';
import { insertAttempt } from '#src/runs/store/attemptRecord.ts';
import { type Connection, inTransaction } from '#src/base/database/connection.ts';
import { runNotifications, sendNotifications } from '#src/base/database/sendNotifications.ts';
import { settleWaitingRuns } from '#src/runs/store/waitingRuns.ts';
import { upsertProject } from '#src/projects/store/projectRecord.ts';
import { addRunEvents } from '#src/runs/store/runEvent.ts';
import { upsertConfiguration } from '#src/runs/store/configurationRecord.ts';
import { describeExternalRun, replaceConfiguration } from '#src/external/store/externalRunContent.ts';
import { type ImportedStand, setImportedSeed, setImportedStand, wasImported } from '#src/external/store/importedRun.ts';
import { insertRuns } from '#src/runs/store/insertRuns.ts';
import { findRunsById, lockRuns, type RunRecord } from '#src/runs/store/runRecord.ts';
import { addRunJobs } from '#src/runs/addRunJobs.ts';
import { checkedInteger, checkedName, checkedTags, checkedUser } from '#src/base/contracts/runFields.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { checkedObject, externalConfiguration } from '#src/runs/externalConfiguration.ts';
import { lockExternalRun } from '#src/runs/externalRun.ts';

export interface ImportRunInput {
  /** Always the same for the same run of the same source. */
  id: string;
  project: string;
  name: string;
  parameters?: unknown;
  datasetName?: string | null | undefined;
  /** Who started it there; who imports it unless given. */
  user?: string | null | undefined;
  seed?: number | undefined;
  tags?: readonly string[] | undefined;
  notes?: string | null | undefined;
  environment?: unknown;
  /** RUNNING for a new run, and else as it is, when left out. */
  state?: RunState | null | undefined;
  startedAt?: Date | null | undefined;
  endedAt?: Date | null | undefined;
  errorMessage?: string | null | undefined;
}

/**
 * Makes a run that was executed and logged elsewhere, or brings the one that an earlier import made up to date: state,
 * times, seed and parameters. It has no lease, and takes points, lines, media and files whatever its state. Name, tags and
 * notes are set once: people may have changed them since.
 * @throws WarrenError BAD_INPUT, also when the run is another program's; CONFLICT when it is in the trash.
 */
export async function importRun(context: ServiceContext, input: ImportRunInput): Promise<RunRecord> {
  if (!z.guid().safeParse(input.id).success) {
    throw badInput(`id: received ${shownValue(input.id)}, expected a UUID`, 'id');
  }
  const id = input.id.toLowerCase();
  const state = checkedState(input.state ?? null);
  const changed = await inTransaction(context.db, async (connection) => {
    const [found] = await findRunsById(connection, [id]);
    const before = found === undefined ? null : await lockImported(connection, id);
    const run = before ?? (await insertImported(connection, { ...input, id, user: input.user ?? context.userName }));
    const configuration = configurationOf(input);
    if (run.configurationHash !== configuration.hash) {
      await upsertConfiguration(connection, configuration);
      await replaceConfiguration(connection, id, configuration.hash);
    }
    const seed = checkedSeed(input);
    // 0 stands for one that is not known, too
    if (seed !== 0 && run.seed !== seed) await setImportedSeed(connection, id, seed);
    const stand = standOf(run, { ...input, state });
    if (before === null || differs(run, stand)) await setImportedStand(connection, id, stand);
    if (before !== null && stand.state !== run.state) {
      await addRunEvents(connection, [{ runId: id, type: 'imported', message: `Its source says: ${stand.state}` }]);
    }
    const { queued, failed } = await settleWaitingRuns(connection, id);
    const [now] = await lockRuns(connection, [id]);
    if (now === undefined) throw new Error('internal: the run is gone');
    await sendNotifications(connection, runNotifications([now, ...queued, ...failed]));
    return [now, ...queued];
  });
  await addRunJobs(context, changed.slice(1));
  return changed[0]!;
}

function checkedState(state: RunState | null): ImportedStand['state'] | null {
  if (state === null) return null;
  if (state === 'RUNNING' || state === 'SUCCEEDED' || state === 'FAILED' || state === 'CANCELLED') return state;
  throw badInput(`state: an imported run is RUNNING, SUCCEEDED, FAILED or CANCELLED, not ${state}`, 'state');
}

function standOf(
  run: RunRecord,
  { state, startedAt, endedAt, errorMessage }: Omit<ImportRunInput, 'state'> & { state: ImportedStand['state'] | null },
): ImportedStand {
  const now = run.state === 'SUCCEEDED' || run.state === 'FAILED' || run.state === 'CANCELLED' ? run.state : 'RUNNING';
  return {
    state: state ?? now,
    startedAt: startedAt ?? null,
    endedAt: endedAt ?? null,
    errorMessage: errorMessage ?? run.errorMessage,
  };
}

function differs(run: RunRecord, stand: ImportedStand): boolean {
  return (
    run.state !== stand.state ||
    (stand.startedAt !== null && Number(stand.startedAt) !== Number(run.startedAt)) ||
    (stand.state !== 'RUNNING' && stand.endedAt !== null && Number(stand.endedAt) !== Number(run.endedAt))
  );
}

async function lockImported(connection: Connection, id: string): Promise<RunRecord> {
  const run = await lockExternalRun(connection, id);
  if (run.leaseSeconds !== null || !(await wasImported(connection, id))) {
    throw badInput(`run ${run.number} was not imported: its own program reports to it`, 'id');
  }
  if (run.deletedAt !== null) {
    throw new WarrenError('CONFLICT', `run ${run.number} is in the trash: restore it first`, { path: 'id' });
  }
  return run;
}

function checkedSeed({ seed }: ImportRunInput): number {
  return checkedInteger(seed ?? 0, { path: 'seed', minimum: 0, maximum: 2_147_483_647 });
}

function configurationOf({ parameters, datasetName }: ImportRunInput): ReturnType<typeof externalConfiguration> {
  const dataset = datasetName == null ? null : checkedName(datasetName, 'datasetName');
  return externalConfiguration(checkedObject(parameters ?? {}, 'parameters'), dataset);
}

async function insertImported(connection: Connection, input: ImportRunInput): Promise<RunRecord> {
  const name = checkedName(input.name, 'name');
  const seed = checkedSeed(input);
  const configuration = configurationOf(input);
  const environment = checkedObject(input.environment ?? {}, 'environment');
  const { id: projectId } = await upsertProject(connection, checkedName(input.project, 'project'));
  await upsertConfiguration(connection, configuration);
  const common = {
    ...({ projectId, configurationHash: configuration.hash, state: 'RUNNING' } as const),
    ...({ priority: 1000, requiresGpu: false, maxAttempts: 1, attempt: 1 } as const),
    tags: checkedTags(input.tags ?? []),
    user: checkedUser(input.user),
  };
  const [run] = await insertRuns(connection, common, [{ id: input.id, name, seed }]);
  // another import of the same source was quicker
  if (run === undefined) return await lockImported(connection, input.id);
  await describeExternalRun(connection, run.id, { notes: input.notes ?? '', environment });
  const executor = { workerId: null, workerName: '', backend: null, device: null, resumedFromStep: null };
  await insertAttempt(connection, { runId: run.id, number: 1, ...executor });
  await addRunEvents(connection, [{ runId: run.id, type: 'imported', message: 'Imported' }]);
  return run;
}
