import { badInput, WarrenError } from '#src/base/contracts/errors.ts';
import { type Connection, inTransaction } from '#src/base/database/connection.ts';
import { runNotifications, sendNotifications } from '#src/base/database/sendNotifications.ts';
import {
  noteFlush,
  removeTrackedTag,
  setTrackedParameters,
  setTrackedTags,
} from '#src/mlflow/store/changeTrackedRun.ts';
import { countDatasetInputs, type DatasetInputRecord, insertDatasetInputs } from '#src/mlflow/store/datasetInput.ts';
import type { TrackedRun } from '#src/mlflow/store/trackedRun.ts';
import { type MetricPointInput, pointColumns } from '#src/metrics/store/pointColumns.ts';
import { recordRepeatedPoints } from '#src/metrics/store/recordRepeatedPoints.ts';
import { upsertConfiguration } from '#src/runs/store/configurationRecord.ts';
import { checkedObject, externalConfiguration } from '#src/runs/externalConfiguration.ts';
import { logGrouped } from '#src/external/pointGroups.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { lockActiveRun, lockWritableRun, mlflowRunId, uuidOf } from './trackedRuns.ts';
import { typedParameters } from './typedParameters.ts';

type Context = Pick<ServiceContext, 'db' | 'seriesPerRun'>;

export interface KeyedText {
  key: string;
  value: string;
}

export interface LoggedBatch {
  runId: string;
  points: readonly MetricPointInput[];
  parameters: readonly KeyedText[];
  tags: readonly KeyedText[];
  /** Whether the request was for one parameter, which MLflow refuses in other words. */
  single?: boolean;
}

/**
 * Writes points, parameters and tags of a run, all of them or none. Values at a step add to those that are there; a parameter
 * is written once; a tag replaces the one before.
 * @throws WarrenError NOT_FOUND, BAD_INPUT when a parameter has another value already.
 */
export async function logToRun(context: Context, batch: LoggedBatch): Promise<void> {
  if (await logPlainly(context, batch)) return;
  const onlyTags = batch.points.length === 0 && batch.parameters.length === 0;
  await inTransaction(context.db, async (connection) => {
    const lock = onlyTags ? lockActiveRun : lockWritableRun;
    const run = await lock(connection, batch.runId);
    await addParameterTexts(connection, run, batch);
    if (batch.points.length > 0) {
      const cursor = await noteFlush(connection, run.id);
      const flush = { runId: run.id, cursor, mostSeries: context.seriesPerRun };
      await recordRepeatedPoints(connection, flush, batch.points);
      await sendNotifications(connection, [{ type: 'metrics', runId: run.id, cursor }]);
    }
    if (batch.tags.length > 0) {
      await setTrackedTags(connection, run.id, Object.fromEntries(batch.tags.map(({ key, value }) => [key, value])));
    }
    if (batch.tags.length + batch.parameters.length > 0) await sendNotifications(connection, runNotifications([run]));
  });
}

/** Runs that have logged a step again, which needs more than one round trip: they are likely to do so again. */
const repeating = new Set<string>();
const MOST_REPEATING = 10_000;

/**
 * Writes a batch of nothing but new points of metrics that are there, as most are, in one round trip, together with other calls.
 * @returns false where that does not serve; the same batch is then to be written with all that it may need.
 */
async function logPlainly({ db }: Context, { runId, points, parameters, tags }: LoggedBatch): Promise<boolean> {
  const id = uuidOf(runId);
  if (id === null || points.length === 0 || parameters.length + tags.length > 0 || repeating.has(id)) return false;
  if (points.some(({ step }) => step < 0)) return false;
  const columns = pointColumns(points);
  const isPlain = columns.steps.length === points.length;
  const logged = isPlain ? await logGrouped(db, { runId: id, points: columns }) : null;
  if (isPlain && logged === null) return false;
  if (logged?.inserted === points.length) return true;
  if (repeating.size >= MOST_REPEATING) repeating.clear();
  repeating.add(id);
  return false;
}

async function addParameterTexts(
  connection: Connection,
  run: TrackedRun,
  { parameters, single = false }: Pick<LoggedBatch, 'parameters' | 'single'>,
): Promise<void> {
  if (parameters.length === 0) return;
  const before = run.parameterTexts ?? {};
  const known = (key: string) => (Object.hasOwn(before, key) ? before[key] : undefined);
  const changed = parameters.filter(({ key, value }) => known(key) !== undefined && known(key) !== value);
  if (changed.length > 0) throw writtenTwice(run, single, changed, (key) => known(key) ?? '');
  const added = parameters.filter(({ key }) => known(key) === undefined);
  if (added.length === 0) return;
  const texts = { ...before, ...Object.fromEntries(added.map(({ key, value }) => [key, value])) };
  const { parameters: typed, seed } = typedParameters(texts);
  // a run of another client keeps what it has: its own parameters are not texts
  const own = run.parameterTexts === null ? run.parameters : {};
  const configuration = externalConfiguration(checkedObject({ ...own, ...typed }, 'params'), run.datasetName);
  await upsertConfiguration(connection, configuration);
  const chosen = Object.hasOwn(texts, 'seed') ? seed : run.seed;
  await setTrackedParameters(connection, run.id, { texts, configurationHash: configuration.hash, seed: chosen });
}

function writtenTwice(
  run: TrackedRun,
  single: boolean,
  changed: readonly KeyedText[],
  old: (key: string) => string,
): WarrenError {
  const id = mlflowRunId(run.id);
  const [first = { key: '', value: '' }] = changed;
  if (single) {
    return badInput(
      `Changing param values is not allowed. Param with key='${first.key}' was already logged with value='${old(first.key)}' for run ID='${id}'. Attempted logging new value '${first.value}'.`,
    );
  }
  const list = changed.map(
    ({ key, value }) => `{'key': '${key}', 'old_value': '${old(key)}', 'new_value': '${value}'}`,
  );
  return badInput(
    `Changing param values is not allowed. Params were already logged='[${list.join(', ')}]' for run ID='${id}'.`,
  );
}

/** Removes a tag. @throws WarrenError NOT_FOUND when the run has none of that key. */
export async function deleteTag(context: Context, runId: string, key: string): Promise<void> {
  await inTransaction(context.db, async (connection) => {
    const run = await lockActiveRun(connection, runId);
    if (!(await removeTrackedTag(connection, run.id, key))) {
      throw new WarrenError('NOT_FOUND', `No tag with name: ${key} in run with id ${mlflowRunId(run.id)}`);
    }
    await sendNotifications(connection, runNotifications([run]));
  });
}

const LONGEST_LIST = 100_000;

/**
 * Adds an item to the list that is a run's tag, as JSON.
 * @throws WarrenError NOT_FOUND, BAD_INPUT also when the tag holds something else, or gets too long.
 */
export async function appendToTag(
  context: Context,
  { runId, key, item }: { runId: string; key: string; item: unknown },
): Promise<void> {
  await inTransaction(context.db, async (connection) => {
    const run = await lockActiveRun(connection, runId);
    const list = JSON.stringify([...listIn(run.tags?.[key] ?? '[]', key), item]);
    if (list.length > LONGEST_LIST) {
      throw badInput(`tag ${key}: ${list.length} characters; at most ${LONGEST_LIST} are taken`, 'key');
    }
    await setTrackedTags(connection, run.id, { [key]: list });
    await sendNotifications(connection, runNotifications([run]));
  });
}

function listIn(text: string, key: string): unknown[] {
  try {
    const list: unknown = JSON.parse(text);
    if (Array.isArray(list)) return list;
  } catch {
    // said below
  }
  throw badInput(
    `tag ${key}: its text is no list as JSON, so nothing can be added to it: ${text.slice(0, 100)}`,
    'key',
  );
}

/** Data of a run, at most. */
const MOST_DATASETS = 1_000;

/** Writes down data that a run used. @throws WarrenError NOT_FOUND, BAD_INPUT also when it has too many. */
export async function logDatasets(
  context: Context,
  runId: string,
  inputs: readonly Omit<DatasetInputRecord, 'runId'>[],
): Promise<void> {
  await inTransaction(context.db, async (connection) => {
    const run = await lockActiveRun(connection, runId);
    await insertDatasetInputs(
      connection,
      inputs.map((input) => ({ ...input, runId: run.id })),
    );
    const count = await countDatasetInputs(connection, run.id);
    if (count > MOST_DATASETS) throw badInput(`a run uses at most ${MOST_DATASETS} datasets, not ${count}`, 'datasets');
  });
}
