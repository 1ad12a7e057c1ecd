import { isAddedKind, isEnqueueable, kindByName } from '#src/catalog/kinds.ts';
import { requiresGpu } from '#src/catalog/requiresGpu.ts';
import { type ResolvedConfiguration, resolveConfiguration } from '#src/catalog/resolveConfiguration.ts';
import { badInput } from '#src/base/contracts/errors.ts';
import { upsertConfiguration } from '#src/runs/store/configurationRecord.ts';
import { type Connection, inTransaction } from '#src/base/database/connection.ts';
import { insertRuns, type SweepPlace } from '#src/runs/store/insertRuns.ts';
import { upsertProject } from '#src/projects/store/projectRecord.ts';
import { addRunEvents } from '#src/runs/store/runEvent.ts';
import { recordUses } from '#src/registry/store/versionUse.ts';
import { insertRunInputs } from '#src/runs/store/runInput.ts';
import type { RunRecord } from '#src/runs/store/runRecord.ts';
import { runNotifications, sendNotifications } from '#src/base/database/sendNotifications.ts';
import { addRunJobs } from './addRunJobs.ts';
import { checkedKey, findKeyedRuns, keyedRunIds, keyTaken } from './callKey.ts';
import { checkedInteger, checkedName, checkedTags, refuseLongJson } from '#src/base/contracts/runFields.ts';
import { checkedInputs, refuseManyInputs, type RunInputReference } from './runInputs.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';

export interface EnqueueRunsInput {
  project?: string | undefined;
  kind: string;
  preset?: string | null | undefined;
  /** Parameters that differ from the preset or the defaults. */
  parameters?: unknown;
  /** A name or a dataset selection. */
  dataset?: unknown;
  /** One run each, at most 1000; default 1. */
  seeds?: readonly number[] | undefined;
  /** 1 (first) to 2,097,151 (last); default 1000. */
  priority?: number | undefined;
  tags?: readonly string[] | undefined;
  name?: string | null | undefined;
  maxAttempts?: number | undefined;
  inputs?: readonly RunInputReference[] | undefined;
  /** The same call with the same key again answers the runs that it made, and queues none. */
  key?: string | null | undefined;
}

const MOST_SEEDS = 1_000;
/** Of the JSON of parameters and of a dataset, in characters. */
export const LONGEST_JSON = 64 * 1024;
/** New runs are seen in lists, which one notification brings up to date. */
export const NOTIFIED_SINGLY = 10;

/**
 * Queues one run a seed, all of one configuration. The database decides: a queue that is down gets the jobs later.
 * @returns the new runs in the order of the seeds, `QUEUED`, or `WAITING` when an input is not there yet; those that an earlier call
 *   with the same key has made, as they are now.
 * @throws WarrenError BAD_INPUT or NOT_FOUND that says what is wrong, and nothing is queued; CONFLICT where the key is that of another
 *   call.
 */
export async function enqueueRuns(context: ServiceContext, input: EnqueueRunsInput): Promise<RunRecord[]> {
  const checked = checkRuns(input);
  const { key, ...wanted } = checked;
  const runs = await inTransaction(context.db, async (connection) => {
    const known = key === null ? null : await findKeyedRuns(connection, { key, ...wanted });
    return known ?? (await insertCheckedRuns(connection, checked, { user: context.userName ?? null }));
  });
  await addRunJobs(context, runs);
  return runs;
}

/** Runs that may be queued as far as they themselves tell; their inputs are looked for when they are. */
export interface CheckedRuns {
  configuration: ResolvedConfiguration;
  datasetName: string | null;
  seeds: readonly number[];
  title: string;
  project: string;
  priority: number;
  maxAttempts: number;
  tags: readonly string[];
  preset: string | null;
  inputs: readonly RunInputReference[];
  key: string | null;
}

/** @throws WarrenError BAD_INPUT or NOT_FOUND that says what is wrong. */
export function checkRuns(input: EnqueueRunsInput): CheckedRuns {
  const { kind, dataset, parameters, preset = null } = input;
  if (!isEnqueueable(kindByName(kind))) {
    const way = kind === 'command' ? 'queue them with enqueueCommand' : 'create them with createRun';
    throw badInput(`kind ${kind} is for programs of your own: ${way}`, 'kind');
  }
  refuseLongJson(parameters, { path: 'parameters', most: LONGEST_JSON });
  refuseLongJson(dataset, { path: 'dataset', most: LONGEST_JSON });
  const configuration = resolveConfiguration({ kind, dataset, parameters, preset });
  const datasetName = configuration.dataset?.name ?? null;
  const seeds = checkedSeeds(input.seeds ?? [1]);
  const title = input.name == null ? defaultName(preset ?? kind, datasetName) : checkedName(input.name, 'name');
  const project = checkedName(input.project ?? 'default', 'project');
  const priority = checkedInteger(input.priority ?? 1000, { path: 'priority', minimum: 1, maximum: 2_097_151 });
  const maxAttempts = checkedInteger(input.maxAttempts ?? 5, { path: 'maxAttempts', minimum: 1, maximum: 100 });
  const tags = checkedTags(input.tags ?? []);
  const inputs = input.inputs ?? [];
  refuseManyInputs('kind', { seeds: seeds.length, inputs: inputs.length });
  const key = checkedKey(input.key);
  return { configuration, datasetName, seeds, title, project, priority, maxAttempts, tags, preset, inputs, key };
}

/**
 * Inserts checked runs of their maker, of a sweep where one is given, within a transaction; `addRunJobs` afterwards hands them to workers.
 * @throws WarrenError BAD_INPUT for inputs that cannot be used.
 */
export async function insertCheckedRuns(
  connection: Connection,
  checked: CheckedRuns,
  { user, sweep }: { user: string | null; sweep?: SweepPlace | undefined },
): Promise<RunRecord[]> {
  const { configuration, datasetName, seeds, title, project, priority, maxAttempts, tags, preset, key } = checked;
  const { inputs, available, versionIds } = await checkedInputs(connection, checked.inputs);
  const { id: projectId } = await upsertProject(connection, project);
  await upsertConfiguration(connection, { ...configuration, dataset: configuration.dataset, datasetName });
  const state = available ? 'QUEUED' : 'WAITING';
  const common = {
    projectId,
    configurationHash: configuration.hash,
    state,
    priority,
    maxAttempts,
    tags,
    user,
    preset,
    requiresGpu: requiresGpu(configuration.kind, configuration.parameters),
    addedKind: isAddedKind(configuration.kind) ? configuration.kind : null,
    sweep,
  } as const;
  const callIds = key === null ? [] : keyedRunIds({ key, project, seeds });
  const named = seeds.map((seed, index) => ({ seed, name: title, id: callIds[index] }));
  const inserted = await insertRuns(connection, { ...common, attempt: 0 }, named);
  if (key !== null && inserted.length < seeds.length) throw keyTaken(key, 'has queued runs');
  const ids = inserted.map((run) => run.id);
  await insertRunInputs(connection, ids, inputs);
  await recordUses(connection, ids, versionIds);
  const type = available ? 'queued' : 'waiting';
  const message = available ? 'Queued' : 'Waits for its inputs';
  await addRunEvents(
    connection,
    inserted.map((run) => ({ runId: run.id, type, message })),
  );
  await sendNotifications(connection, runNotifications(inserted.slice(0, NOTIFIED_SINGLY)));
  return inserted;
}

function defaultName(what: string, datasetName: string | null): string {
  return (datasetName === null ? what : `${what} on ${datasetName}`).slice(0, 200);
}

/** Seeds of one call, each once. @throws WarrenError BAD_INPUT. */
export function checkedSeeds(seeds: readonly number[]): number[] {
  if (seeds.length === 0 || seeds.length > MOST_SEEDS) {
    throw badInput(`seeds: expected 1 to ${MOST_SEEDS} seeds, received ${seeds.length}`, 'seeds');
  }
  const checked = seeds.map((seed) => checkedInteger(seed, { path: 'seeds', minimum: 0, maximum: 2_147_483_647 }));
  const known = new Set<number>();
  const double = checked.find((seed) => known.size === known.add(seed).size);
  if (double !== undefined) {
    throw badInput(`seeds: ${double} is given twice, which would give the same run twice`, 'seeds');
  }
  return checked;
}
