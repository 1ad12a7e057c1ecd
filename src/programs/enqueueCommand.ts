import { checkPlaceholders, filledCommand } from '#src/catalog/commandLine.ts';
import { COMMAND_MEMBERS, type CommandParameters, commandKind } from '#src/catalog/kinds/command.ts';
import { parseParameters } from '#src/catalog/parseParameters.ts';
import { type ResolvedConfiguration, resolveConfiguration } from '#src/catalog/resolveConfiguration.ts';
import { maskedArguments } from '#src/base/lib/maskedArguments.ts';
import { badInput, WarrenError } from '#src/base/contracts/errors.ts';
import { CONTAINER_LABEL, type RunNeeds } from '#src/base/contracts/runNeeds.ts';
import { attachArtifact } from '#src/artifacts/store/artifactRecord.ts';
import { keepArtifactFiles } from '#src/artifacts/store/artifactLock.ts';
import { upsertConfiguration } from '#src/runs/store/configurationRecord.ts';
import { type Connection, inTransaction } from '#src/base/database/connection.ts';
import { describeNewRuns } from '#src/external/store/externalRunContent.ts';
import { insertRuns, type SweepPlace } from '#src/runs/store/insertRuns.ts';
import { upsertProject } from '#src/projects/store/projectRecord.ts';
import { addRunEvents } from '#src/runs/store/runEvent.ts';
import { recordUses } from '#src/registry/store/versionUse.ts';
import { insertRunInputs } from '#src/runs/store/runInput.ts';
import type { RunRecord } from '#src/runs/store/runRecord.ts';
import { runNotifications, sendNotifications } from '#src/base/database/sendNotifications.ts';
import { checkedSeeds, NOTIFIED_SINGLY, LONGEST_JSON } from '#src/runs/enqueueRuns.ts';
import { checkedObject } from '#src/runs/externalConfiguration.ts';
import { checkedKey, findKeyedRuns, keyedRunIds, keyTaken } from '#src/runs/callKey.ts';
import { checkedInteger, checkedName, checkedTags, refuseLongJson } from '#src/base/contracts/runFields.ts';
import { checkedInputs, checkInputFiles, refuseManyInputs, type RunInputReference } from '#src/runs/runInputs.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';

export interface EnqueueCommandInput {
  project?: string | undefined;
  name?: string | null | undefined;
  /** Program and arguments, with `{name}` where a parameter's value goes. */
  command: readonly string[];
  /** The command's own parameters. */
  parameters?: unknown;
  /** The sha256 of the code's archive, which is in the artifact store. */
  code?: string | null | undefined;
  /** Folder of the archive in which the program starts. */
  folder?: string | undefined;
  environment?: string | undefined;
  seeds?: readonly number[] | undefined;
  priority?: number | undefined;
  tags?: readonly string[] | undefined;
  maxAttempts?: number | undefined;
  gpus?: number | undefined;
  memoryMb?: number | null | undefined;
  cores?: number | null | undefined;
  labels?: readonly string[] | undefined;
  /** Longest time of an attempt. */
  seconds?: number | null | undefined;
  /** Nobody else gets the run before so many seconds after its lease has run out; null: ten minutes. */
  releaseSeconds?: number | null | undefined;
  /** Where the code comes from, such as its commit; free in form. */
  origin?: unknown;
  /** Artifacts of runs and registered versions, which the program finds as files; it waits for those that are not there yet. */
  inputs?: readonly RunInputReference[] | undefined;
  /** The same call with the same key again answers the runs that it made, and queues none. */
  key?: string | null | undefined;
}

/** The archive as an artifact of each of its runs. */
export const CODE_NAME = 'code.tar.gz';

/** A worker needs some time to end a program. */
const SHORTEST_RELEASE_SECONDS = 1;
const MOST_GPUS = 64;
const MOST_MEMORY_MB = 64 * 1024 * 1024;
const MOST_CORES = 4096;
/** A year. */
const LONGEST_SECONDS = 31_622_400;

/**
 * Queues one run per seed of a user's own program, all of one configuration. Workers that execute commands find them in the
 * database. Whether the caller may is for the caller of this to check. A key is that of `enqueueRuns`.
 * @param codeSize Bytes of content in the artifact store; null when it is not there.
 * @throws WarrenError BAD_INPUT; NOT_FOUND with the path `code` when the archive is to be sent first.
 */
export async function enqueueCommand(
  context: Pick<ServiceContext, 'db' | 'userName'>,
  input: EnqueueCommandInput,
  codeSize: (sha256: string) => Promise<number | null>,
): Promise<RunRecord[]> {
  const checked = checkCommand(input);
  const { key, ...wanted } = checked;
  return await inTransaction(context.db, async (connection) => {
    const known = key === null ? null : await findKeyedRuns(connection, { key, ...wanted });
    if (known !== null) return known;
    const codeBytes = await heldCodeBytes(connection, checked.parameters.code, codeSize);
    return await insertCheckedCommand(connection, checked, { codeBytes, user: context.userName ?? null });
  });
}

/**
 * Bytes of the code of a command, which stays until the transaction ends; 0 where there is none.
 * @throws WarrenError NOT_FOUND with the path `code` when the archive is to be sent first.
 */
export async function heldCodeBytes(
  connection: Connection,
  code: string | null,
  codeSize: (sha256: string) => Promise<number | null>,
): Promise<number> {
  await keepArtifactFiles(connection);
  const bytes = code === null ? 0 : await codeSize(code);
  if (bytes !== null) return bytes;
  throw new WarrenError('NOT_FOUND', `the code ${code} is not here: send its archive with PUT /code first`, {
    path: 'code',
  });
}

/** A command that may be queued as far as it itself tells. */
export interface CheckedCommand {
  configuration: ResolvedConfiguration;
  parameters: CommandParameters;
  seeds: readonly number[];
  needs: RunNeeds;
  title: string;
  project: string;
  priority: number;
  maxAttempts: number;
  tags: readonly string[];
  origin: Record<string, unknown>;
  inputs: readonly RunInputReference[];
  key: string | null;
}

/** @throws WarrenError BAD_INPUT that says what is wrong. */
export function checkCommand(input: EnqueueCommandInput): CheckedCommand {
  const { configuration, parameters } = configurationOf(input);
  const seeds = checkedSeeds(input.seeds ?? [1]);
  const inputs = input.inputs ?? [];
  refuseManyInputs('command', { seeds: seeds.length, inputs: inputs.length });
  checkInputFiles(inputs);
  return {
    configuration,
    parameters,
    seeds,
    needs: checkedNeeds(input),
    title: input.name == null ? defaultName(parameters, seeds) : checkedName(input.name, 'name'),
    project: checkedName(input.project ?? 'default', 'project'),
    priority: checkedInteger(input.priority ?? 1000, { path: 'priority', minimum: 1, maximum: 2_097_151 }),
    maxAttempts: checkedInteger(input.maxAttempts ?? 5, { path: 'maxAttempts', minimum: 1, maximum: 100 }),
    tags: checkedTags(input.tags ?? []),
    origin: checkedObject(input.origin ?? {}, 'origin'),
    inputs,
    key: checkedKey(input.key),
  };
}

/**
 * Inserts the runs of a checked command, of a sweep where one is given, within a transaction.
 * @param place `codeBytes` is the size of the code, which must be in the artifact store.
 */
export async function insertCheckedCommand(
  connection: Connection,
  checked: CheckedCommand,
  { codeBytes, user, sweep }: { codeBytes: number; user: string | null; sweep?: SweepPlace },
): Promise<RunRecord[]> {
  const { configuration, parameters, seeds, needs, title, project, priority, maxAttempts, tags, origin, key } = checked;
  await keepArtifactFiles(connection);
  const { inputs, available, versionIds } = await checkedInputs(connection, checked.inputs, 'command');
  refuseManyInputs('command', { seeds: seeds.length, inputs: inputs.length });
  checkInputFiles(inputs);
  const { id: projectId } = await upsertProject(connection, project);
  await upsertConfiguration(connection, { ...configuration, dataset: null, datasetName: null });
  const common = { projectId, configurationHash: configuration.hash, priority, maxAttempts, tags, user, needs, sweep };
  const callIds = key === null ? [] : keyedRunIds({ key, project, seeds });
  const runs = await insertRuns(
    connection,
    { ...common, state: available ? 'QUEUED' : 'WAITING', requiresGpu: false, attempt: 0 },
    seeds.map((seed, index) => ({ seed, name: title, id: callIds[index] })),
  );
  if (key !== null && runs.length < seeds.length) throw keyTaken(key, 'has queued runs');
  const ids = runs.map((run) => run.id);
  if (parameters.code !== null) {
    const archive = { name: CODE_NAME, role: 'code', mediaType: 'application/gzip', sizeBytes: codeBytes } as const;
    await attachArtifact(connection, ids, { ...archive, sha256: parameters.code });
  }
  await insertRunInputs(connection, ids, inputs);
  await recordUses(connection, ids, versionIds);
  await describeNewRuns(connection, ids, origin);
  const type = available ? 'queued' : 'waiting';
  const message = available ? 'Queued' : 'Waits for its inputs';
  await addRunEvents(
    connection,
    ids.map((runId) => ({ runId, type, message })),
  );
  await sendNotifications(connection, runNotifications(runs.slice(0, NOTIFIED_SINGLY)));
  return runs;
}

function configurationOf({ command, code, folder, environment, parameters: given }: EnqueueCommandInput) {
  const own = checkedObject(given ?? {}, 'parameters');
  const taken = COMMAND_MEMBERS.find((name) => Object.hasOwn(own, name));
  if (taken !== undefined) throw badInput(`parameters.${taken}: choose another name`, `parameters.${taken}`);
  const members = {
    command: [...command],
    code: code ?? null,
    folder: folder ?? '',
    environment: environment ?? 'none',
  };
  refuseLongJson({ ...own, ...members }, { path: 'command', most: LONGEST_JSON });
  if (command.length === 0) throw badInput('command: expected a program and its arguments', 'command');
  const configuration = resolveConfiguration({ kind: commandKind.kind, parameters: { ...own, ...members } });
  const parameters = parseParameters(commandKind, configuration.parameters);
  if (parameters.folder.split('/').includes('..') || parameters.folder.startsWith('/')) {
    throw badInput(`folder: "${parameters.folder}" is not a path inside the archive`, 'folder');
  }
  checkPlaceholders(parameters);
  return { configuration, parameters };
}

function checkedNeeds({
  gpus,
  memoryMb,
  cores,
  labels = [],
  seconds,
  releaseSeconds,
  environment,
}: EnqueueCommandInput): RunNeeds {
  const needed = environment?.startsWith('container:') === true ? [...labels, CONTAINER_LABEL] : labels;
  const upTo = (value: number | null | undefined, path: string, maximum: number): number | null =>
    value == null ? null : checkedInteger(value, { path, minimum: 1, maximum });
  return {
    command: true,
    gpus: checkedInteger(gpus ?? 0, { path: 'gpus', minimum: 0, maximum: MOST_GPUS }),
    memoryMb: upTo(memoryMb, 'memoryMb', MOST_MEMORY_MB),
    cores: upTo(cores, 'cores', MOST_CORES),
    labels: [...new Set(checkedTags(needed, 'labels'))],
    seconds: upTo(seconds, 'seconds', LONGEST_SECONDS),
    ...(releaseSeconds == null
      ? {}
      : {
          releaseSeconds: checkedInteger(releaseSeconds, {
            path: 'releaseSeconds',
            minimum: SHORTEST_RELEASE_SECONDS,
            maximum: LONGEST_SECONDS,
          }),
        }),
  };
}

/** The command as one would type it; with several seeds, without one. */
function defaultName(parameters: CommandParameters, seeds: readonly number[]): string {
  const [seed = 1] = seeds;
  const words = seeds.length === 1 ? filledCommand(parameters, seed) : parameters.command;
  return maskedArguments(words).join(' ').trim().slice(0, 200) || 'command';
}
