import { badInput, WarrenError } from '#src/base/contracts/errors.ts';
import { inTransaction } from '#src/base/database/connection.ts';
import {
  type LoggedModel,
  listLoggedModels,
  listModelInputs,
  putLoggedModel,
  putModelInputs,
  searchModels,
} from '#src/mlflow/store/loggedModel.ts';
import { findTrackedRuns, type TrackedRun } from '#src/mlflow/store/trackedRun.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { lockActiveRun, lockWritableRun, mlflowRunId, uuidOf } from './trackedRuns.ts';

type Context = Pick<ServiceContext, 'db'>;

export interface PlacedModel {
  run: TrackedRun;
  model: LoggedModel;
}

/** Models of a run, at most. */
const MOST_MODELS = 100;
/** A model's id begins with the id of its run. */
const ID = /^m-([0-9a-f]{32})-\d+$/;

function noModel(id: string): WarrenError {
  return new WarrenError('NOT_FOUND', `Logged model with ID '${id}' not found.`);
}

/** @throws WarrenError NOT_FOUND. */
export async function requireLoggedModel(context: Context, id: string): Promise<PlacedModel> {
  const runId = uuidOf(ID.exec(id)?.[1] ?? '');
  const [run] = runId === null ? [] : await findTrackedRuns(context.db, [runId]);
  const found = run === undefined ? [] : await listLoggedModels(context.db, [run.id]);
  const model = found.find((one) => one.model.id === id)?.model;
  if (run === undefined || model === undefined || model.deleted) throw noModel(id);
  return { run, model };
}

/** Writes down that a run logs a model, whose files follow. @throws WarrenError BAD_INPUT, NOT_FOUND. */
export async function createLoggedModel(
  context: Context,
  runId: string,
  input: Pick<LoggedModel, 'name' | 'type' | 'tags' | 'params'>,
): Promise<PlacedModel> {
  if (runId === '') throw badInput('a model is logged by a run here: start one first', 'source_run_id');
  return await inTransaction(context.db, async (connection) => {
    const run = await lockWritableRun(connection, runId);
    const { length } = await listLoggedModels(connection, [run.id]);
    if (length >= MOST_MODELS) throw badInput(`a run logs at most ${MOST_MODELS} models`, 'source_run_id');
    const now = Date.now();
    const state = { status: 'LOGGED_MODEL_PENDING', createdMs: now, updatedMs: now, step: null, deleted: false };
    const model = { ...input, ...state, id: `m-${mlflowRunId(run.id)}-${length + 1}` };
    await putLoggedModel(connection, run.id, model);
    return { run, model };
  });
}

/** Changes a model. @throws WarrenError NOT_FOUND, BAD_INPUT. */
export async function changeLoggedModel(
  context: Context,
  id: string,
  change: (model: LoggedModel) => Partial<LoggedModel>,
): Promise<PlacedModel> {
  const runId = ID.exec(id)?.[1];
  if (runId === undefined) throw noModel(id);
  return await inTransaction(context.db, async (connection) => {
    const run = await lockWritableRun(connection, runId);
    const found = (await listLoggedModels(connection, [run.id])).find((one) => one.model.id === id);
    if (found === undefined || found.model.deleted) throw noModel(id);
    const model = { ...found.model, ...change(found.model), updatedMs: Date.now() };
    await putLoggedModel(connection, run.id, model);
    return { run, model };
  });
}

/** The models that runs of the experiments logged, the newest first, a page of them. */
export async function searchLoggedModels(
  context: Context,
  search: Parameters<typeof searchModels>[1],
): Promise<PlacedModel[]> {
  const found = await searchModels(context.db, search);
  const ids = [...new Set(found.map(({ runId }) => runId))];
  const runs = new Map((await findTrackedRuns(context.db, ids)).map((run) => [run.id, run]));
  return found.flatMap(({ runId, model }) => {
    const run = runs.get(runId);
    return run === undefined ? [] : [{ run, model }];
  });
}

/** Models that a run uses, at most. */
const MOST_INPUTS = 1_000;

/** Writes down models that a run used. @throws WarrenError NOT_FOUND, BAD_INPUT also when it has too many. */
export async function logModelInputs(context: Context, runId: string, ids: readonly string[]): Promise<void> {
  await inTransaction(context.db, async (connection) => {
    const run = await lockActiveRun(connection, runId);
    const before = (await listModelInputs(connection, [run.id])).flatMap((one) => one.ids);
    const all = [...new Set([...before, ...ids])];
    if (all.length > MOST_INPUTS)
      throw badInput(`a run uses at most ${MOST_INPUTS} models, not ${all.length}`, 'models');
    await putModelInputs(connection, run.id, all);
  });
}
