import { randomUUID } from 'node:crypto';
import { unusedNote } from '#src/catalog/commandLine.ts';
import { whyNeverReported } from '#src/catalog/reportedMetric.ts';
import type { ResolvedConfiguration } from '#src/catalog/resolveConfiguration.ts';
import { badInput, toErrorRecord, WarrenError } from '#src/base/contracts/errors.ts';
import { parseSweepFile } from '#src/sweeps/search/parseSweepFile.ts';
import { programName } from '#src/sweeps/search/programName.ts';
import { pointCount, proposeTrial } from '#src/sweeps/search/proposeTrial.ts';
import { readSearchSpace } from '#src/sweeps/search/searchSpace.ts';
import { hasAllArguments, type SweepCommand } from '#src/sweeps/search/sweepCommand.ts';
import {
  AGENTS_KIND,
  readSweepFile,
  type SweepDefinition,
  sweepDefinitionSchema,
} from '#src/sweeps/search/sweepDefinition.ts';
import { canonicalJson } from '#src/base/lib/stableHash.ts';
import { type Connection, inTransaction } from '#src/base/database/connection.ts';
import { upsertProject } from '#src/projects/store/projectRecord.ts';
import { lockCallKey } from '#src/base/database/lockCallKey.ts';
import { findSweep, insertSweep, type SweepRecord } from '#src/sweeps/store/sweepRecord.ts';
import { heldCodeBytes } from '#src/programs/enqueueCommand.ts';
import { datasetsOfWorkers, whyDatasetIsMissing } from '#src/fleet/missingDataset.ts';
import { checkedKey, keyedId, keyTaken } from '#src/runs/callKey.ts';
import { checkedName, checkedTags, refuseLongJson } from '#src/base/contracts/runFields.ts';
import { checkedInputs, checkInputFiles, refuseManyInputs } from '#src/runs/runInputs.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { driveSweep } from './driveSweep.ts';
import { requireSweep } from './findSweep.ts';
import { checkTrialRuns } from './trialRuns.ts';

export interface CreateSweepInput {
  /** A sweep file: W&B's format, with the keys of ours. */
  file?: unknown;
  /** The same as YAML or JSON text; the keys of `file` go over it. */
  text?: string | null | undefined;
  /** Of its runs; overrides the file's. */
  project?: string | null | undefined;
  name?: string | null | undefined;
  /** The same call with the same key again answers the sweep that it started, and starts none. */
  key?: string | null | undefined;
}

/** Who starts a sweep, as far as it is over a program of the user's own. */
export interface CommandRights {
  /** @throws WarrenError FORBIDDEN where they may not queue commands, of the project where one is given. */
  require(projectId?: string): void;
  /** Bytes of content in the artifact store; null when it is not there. */
  codeSize(sha256: string): Promise<number | null>;
}

/** Of the JSON of a sweep file, in characters. */
const LONGEST_JSON = 256 * 1024;
const LONGEST_TITLE = 200;
/** Points tried against the kind before anything is queued. */
const TRIED = 8;

/**
 * Starts a sweep: its first trials are queued when this returns.
 * @returns the sweep, and what its file asks for that is done otherwise.
 * @throws WarrenError BAD_INPUT or NOT_FOUND that says what is wrong; then there is no sweep. FORBIDDEN, and NOT_FOUND with the
 *   path `code`, as `enqueueCommand`, where it is over a program.
 */
export async function createSweep(
  context: ServiceContext,
  { file, text, project, name, key }: CreateSweepInput,
  rights?: CommandRights,
): Promise<{ sweep: SweepRecord; warnings: string[] }> {
  const given = joined(file, text);
  refuseLongJson(given, { path: 'file', most: LONGEST_JSON });
  const read = readSweepFile(given);
  if (read.definition.command !== null) requireRights(rights).require();
  const definition = { ...read.definition, tags: checkedTags(read.definition.tags) };
  const { warnings: ofPoints, datasets } = checkPoints(definition);
  const warnings = [...read.warnings, ...ofPoints, ...unusedWarnings(definition)];
  warnings.push(...(await missingDatasets(context, datasets)));
  const title = checkedName(
    name ?? read.name ?? `${definition.method} over ${subjectOf(definition)}`.slice(0, LONGEST_TITLE),
    'name',
  );
  const projectName = checkedName(project ?? read.project ?? 'default', 'project');
  const call = checkedKey(key);
  const id = call === null ? randomUUID() : keyedId('sweep', projectName, call);
  await inTransaction(context.db, async (connection) => {
    if (call !== null && (await isStarted(connection, { id, key: call, definition }))) return;
    const { id: projectId } = await upsertProject(connection, projectName);
    const { command } = definition;
    const sweep = { id, projectId, name: title, user: context.userName ?? null };
    if (command === null) {
      await insertSweep(connection, { ...sweep, definition });
      return;
    }
    requireRights(rights).require(projectId);
    const codeBytes = await heldCodeBytes(connection, command.code, requireRights(rights).codeSize);
    const inputs = await pinnedInputs(connection, command.inputs);
    const whole = { ...definition, command: { ...command, codeBytes, inputs } };
    await insertSweep(connection, { ...sweep, definition: whole });
  });
  // the reconciler drives it where this cannot
  await driveSweep(context, id).catch(() => undefined);
  return { sweep: await requireSweep(context, id), warnings };
}

/** Whether an earlier call with this key has started the sweep. @throws WarrenError CONFLICT where it has started another one. */
async function isStarted(
  connection: Connection,
  { id, key, definition }: { id: string; key: string; definition: SweepDefinition },
): Promise<boolean> {
  await lockCallKey(connection, id);
  const known = await findSweep(connection, { id });
  if (known === null) return false;
  const told = ({ kind, method, parameters }: SweepDefinition) => canonicalJson({ kind, method, parameters });
  if (told(sweepDefinitionSchema.parse(known.definition)) === told(definition)) return true;
  throw keyTaken(key, `has started sweep ${known.number}`);
}

/** What of a program's parameters its command line leaves out. */
function unusedWarnings({ command, parameters }: SweepDefinition): string[] {
  if (command === null || hasAllArguments(command.line)) return [];
  const note = unusedNote(
    command.line,
    readSearchSpace(parameters).map(({ path }) => path),
  );
  return note === null ? [] : [note];
}

/** Inputs by their content: every trial has the same, wherever aliases move. @throws WarrenError for what cannot be had. */
async function pinnedInputs(connection: Connection, given: SweepCommand['inputs']): Promise<SweepCommand['inputs']> {
  const { inputs } = await checkedInputs(connection, given, 'command');
  refuseManyInputs('command', { seeds: 1, inputs: inputs.length });
  checkInputFiles(inputs);
  return inputs.map(({ name, sourceRunId: runId, artifactName, sha256 }) => ({
    ...{ name, runId, artifactName },
    ...(sha256 != null && { sha256 }),
  }));
}

function requireRights(rights: CommandRights | undefined): CommandRights {
  if (rights === undefined) throw new WarrenError('FORBIDDEN', 'this caller may not start sweeps over programs');
  return rights;
}

/** What a sweep varies, for people. */
function subjectOf({ kind, command, agentLine }: SweepDefinition): string {
  const line = command?.line ?? agentLine;
  return line == null ? kind : programName(line);
}

/** What a sweep file holds, and the keys that are given over it. */
function joined(file: unknown, text: string | null | undefined): unknown {
  if (text == null) return file ?? {};
  if (text.length > LONGEST_JSON) throw badInput(`text: at most ${LONGEST_JSON} characters`, 'text');
  const parsed = parseSweepFile(text, 'text');
  if (file == null) return parsed;
  if (typeof file !== 'object' || Array.isArray(file)) throw badInput('file: expected an object', 'file');
  return { ...parsed, ...file };
}

/** Warnings of datasets that no worker is known to have. */
async function missingDatasets(context: ServiceContext, datasets: ReadonlySet<string>): Promise<string[]> {
  if (datasets.size === 0) return [];
  const ofWorkers = await datasetsOfWorkers(context);
  return [...datasets].map((name) => whyDatasetIsMissing(name, ofWorkers)).filter((why) => why !== null);
}

/**
 * Tries some points of a sweep against its kind.
 * @returns the datasets that they name, and a warning where some of the points are refused.
 * @throws WarrenError the first refusal, where all are.
 */
export function checkPoints(definition: SweepDefinition): { warnings: string[]; datasets: ReadonlySet<string> } {
  const datasets = new Set<string>();
  const space = readSearchSpace(definition.parameters);
  const count = pointCount(definition.method, space) ?? TRIED;
  // what the sampler itself cannot do shows in its first point
  if (proposeTrial({ ...definition, space, number: 0, history: [] }) === null) throw badInput('parameters: no points');
  // what agents execute takes any parameters
  if (definition.kind === AGENTS_KIND) return { warnings: [], datasets };
  const method = definition.method === 'grid' ? 'grid' : 'random';
  const refusals: unknown[] = [];
  const tried = Math.min(TRIED, count);
  for (let index = 0; index < tried; index++) {
    const number = Math.floor((index * count) / tried);
    const point = proposeTrial({ method, space, seed: definition.seed, number, history: [] }) ?? {};
    try {
      const checked = checkTrialRuns(definition, point);
      if (!('runs' in checked)) continue;
      const { configuration, datasetName } = checked.runs;
      refuseUnreported(definition, configuration);
      if (datasetName !== null) datasets.add(datasetName);
    } catch (error) {
      refusals.push(error);
    }
  }
  if (refusals.length === 0) return { warnings: [], datasets };
  if (refusals.length === tried) throw refusals[0];
  const { message } = toErrorRecord(refusals[0]);
  const warning = `of ${tried} points tried, ${refusals.length} would fail at once, such as: ${message}`;
  return { warnings: [warning], datasets };
}

/** @throws WarrenError BAD_INPUT for a metric that runs of this configuration never report. */
function refuseUnreported({ metric, earlyStopping }: SweepDefinition, configuration: ResolvedConfiguration): void {
  const wanted = { 'metric.name': metric?.name, 'early_terminate.metric': earlyStopping?.metric };
  for (const [path, name] of Object.entries(wanted)) {
    const why = name === undefined ? null : whyNeverReported(name, configuration);
    if (why !== null) throw badInput(`${path}: ${why}`, path);
  }
}
