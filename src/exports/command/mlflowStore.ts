import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { createInterface } from 'node:readline';
import { nodeStream } from '#src/base/platform/files/nodeStream.ts';
import { pipeline } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import { stringify } from 'yaml';
import { z } from 'zod';
import { WarrenError } from '#src/base/contracts/errors.ts';
import { isPlainObject } from '#src/base/lib/plainObject.ts';
import type { ApiClient } from '#src/base/terminal/apiClient.ts';
import { fetchRunDetail } from '#src/runs/command/fetchRuns.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';

// The layout of mlflow/store/tracking/file_store.py.

const timeMs = z
  .string()
  .nullable()
  .transform((text) => (text === null ? null : Date.parse(text)));
const value = z.union([z.number(), z.enum(['NaN', 'Infinity', '-Infinity'])]);
const columns = z.object({ steps: z.array(z.number()), values: z.array(value), times: z.array(z.number()) });
/** A line of `/export?format=jsonl`. */
const runSchema = z.object({
  // it names a folder that is replaced
  id: z.guid(),
  number: z.number(),
  name: z.string(),
  notes: z.string(),
  tags: z.array(z.string()),
  project: z.string().nullable(),
  kind: z.string().nullable(),
  dataset: z.looseObject({ name: z.string() }).nullable(),
  parameters: z.record(z.string(), z.unknown()),
  seed: z.number(),
  state: z.string(),
  createdAt: timeMs,
  startedAt: timeMs,
  endedAt: timeMs,
  environment: z.record(z.string(), z.unknown()),
  metrics: z.record(z.string(), columns),
});
type ExportedRun = z.infer<typeof runSchema>;

/** MLflow's numbers of its statuses. */
const STATUSES: Readonly<Record<string, number>> = {
  WAITING: 2,
  QUEUED: 2,
  RUNNING: 1,
  SUCCEEDED: 3,
  FAILED: 4,
  CRASHED: 4,
  CANCELLED: 5,
  PRUNED: 5,
};

/** Characters of a name, and bytes of a part of it as a file: systems take 255. */
const LONGEST_NAME = 250;

/** A name as MLflow takes it: `ndcg@10` is `ndcg_at_10`, and what else it does not take is `_`. */
export function mlflowName(name: string): string {
  const plain = name.replaceAll('@', '_at_').replace(/[^\p{L}\p{N}_.\- :/]/gu, '_');
  const parts = [...plain].slice(0, LONGEST_NAME).join('').split('/').map(cutPart);
  return (
    parts
      .filter((part) => part !== '')
      .map((part) => (/^\.+$/.test(part) ? part.replaceAll('.', '_') : part))
      .join('/') || '_'
  );
}

/** The whole characters of a part that a file's name can have. */
function cutPart(part: string): string {
  let bytes = 0;
  let cut = '';
  for (const character of part) {
    bytes += Buffer.byteLength(character);
    if (bytes > LONGEST_NAME) break;
    cut += character;
  }
  return cut;
}

/** Names as files: where one is also the folder of others, its file is called `NAME_`. */
export function fileNames(names: readonly string[]): Map<string, string> {
  const taken = new Set<string>();
  const files = new Map<string, string>();
  const plain = names.map((name) => ({ name, file: mlflowName(name) }));
  for (const { name, file } of plain) {
    let free = file;
    while (taken.has(free) || plain.some((other) => other.file.startsWith(`${free}/`))) free += '_';
    taken.add(free);
    files.set(name, free);
  }
  return files;
}

/** Parameters under dotted names, as MLflow's clients write them. */
export function flatParameters(parameters: Readonly<Record<string, unknown>>, before = ''): [string, string][] {
  return Object.entries(parameters).flatMap(([key, member]): [string, string][] => {
    const name = `${before}${key}`;
    if (isPlainObject(member) && Object.keys(member).length > 0) return flatParameters(member, `${name}.`);
    if (typeof member === 'boolean') return [[name, member ? 'True' : 'False']];
    if (member === null) return [[name, 'None']];
    return [[name, typeof member === 'string' ? member : JSON.stringify(member)]];
  });
}

export interface MlflowExportOptions {
  filter?: string | undefined;
  project?: string;
  /** Where the file store is to be. */
  folder: string;
}

/**
 * Writes runs as a file store of MLflow's: an experiment a project, a folder a run. What is there of the same runs is replaced.
 * @throws WarrenError when the API refuses the filter, or the connection breaks.
 */
export async function exportToMlflow(context: CommandContext, options: MlflowExportOptions): Promise<void> {
  const { filter, project } = options;
  const folder = resolve(options.folder);
  const query = new URLSearchParams({
    format: 'jsonl',
    ...(filter === undefined ? {} : { filter }),
    ...(project === undefined ? {} : { project }),
  });
  const api = await context.api();
  const body = await api.download(`/export?${query.toString()}`);
  const experiments = new Map<string, string>();
  let runs = 0;
  for await (const line of createInterface({ input: nodeStream(body), crlfDelay: Number.POSITIVE_INFINITY })) {
    const run = parseLine(line);
    const name = run.project ?? 'default';
    const experiment = experiments.get(name) ?? (await writeExperiment(folder, name, run.createdAt ?? 0));
    experiments.set(name, experiment);
    await writeRun(api, join(folder, experiment), { run, experiment });
    runs++;
  }
  if (runs === 0) {
    context.terminal.say('warren: no run matches: nothing was written');
    return;
  }
  context.terminal.print(`${runs} runs of ${experiments.size} experiments are in ${folder}`);
  context.terminal.print(`Look at them with: MLFLOW_ALLOW_FILE_STORE=true mlflow ui --backend-store-uri ${folder}`);
}

function parseLine(line: string): ExportedRun {
  try {
    return runSchema.parse(JSON.parse(line));
  } catch (error) {
    throw new WarrenError('UNAVAILABLE', 'the connection broke before all was read: the folder is not whole', {
      cause: error,
    });
  }
}

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

/** @returns the experiment's id, always the same for a project's name. */
async function writeExperiment(folder: string, name: string, createdMs: number): Promise<string> {
  const id = BigInt(`0x${createHash('sha256').update(name).digest('hex').slice(0, 14)}`).toString();
  const place = join(folder, id);
  const meta = {
    artifact_location: pathToFileURL(place).href,
    creation_time: createdMs,
    experiment_id: id,
    last_update_time: createdMs,
    lifecycle_stage: 'active',
    name,
  };
  await write(join(place, 'meta.yaml'), yaml(meta));
  return id;
}

/** Identifiers of digits stay texts, also for YAML 1.1, which Python reads. */
function yaml(meta: Readonly<Record<string, unknown>>): string {
  return stringify(meta, { version: '1.1', lineWidth: 0 });
}

async function writeRun(
  api: ApiClient,
  folder: string,
  { run, experiment }: { run: ExportedRun; experiment: string },
): Promise<void> {
  const id = run.id.replaceAll('-', '');
  const place = join(folder, id);
  await rm(place, { recursive: true, force: true });
  await write(
    join(place, 'meta.yaml'),
    yaml({
      artifact_uri: pathToFileURL(join(place, 'artifacts')).href,
      end_time: run.endedAt,
      entry_point_name: '',
      experiment_id: experiment,
      lifecycle_stage: 'active',
      run_id: id,
      run_name: run.name,
      run_uuid: id,
      source_name: '',
      source_type: 4,
      source_version: '',
      start_time: run.startedAt ?? run.createdAt,
      status: STATUSES[run.state] ?? 4,
      tags: [],
      user_id: 'warren',
    }),
  );
  // MLflow takes a folder without one of these for no run
  for (const part of ['artifacts', 'metrics', 'params', 'tags']) await mkdir(join(place, part), { recursive: true });
  const metricFiles = fileNames(Object.keys(run.metrics));
  for (const [name, { steps, values, times }] of Object.entries(run.metrics)) {
    const lines = steps.map((step, index) => `${times[index]} ${pythonNumber(values[index])} ${step}\n`);
    await write(join(place, 'metrics', metricFiles.get(name) ?? '_'), lines.join(''));
  }
  const parameters = flatParameters({ ...run.parameters, seed: run.seed });
  const parameterFiles = fileNames(parameters.map(([name]) => name));
  for (const [name, text] of parameters) await write(join(place, 'params', parameterFiles.get(name) ?? '_'), text);
  const tags = Object.entries(tagsOf(run));
  const tagFiles = fileNames(tags.map(([name]) => name));
  for (const [name, text] of tags) await write(join(place, 'tags', tagFiles.get(name) ?? '_'), text);
  await downloadFiles(api, run.id, join(place, 'artifacts'));
}

function pythonNumber(number: z.infer<typeof value> | undefined): string {
  if (number === 'NaN') return 'nan';
  return number === 'Infinity' ? 'inf' : number === '-Infinity' ? '-inf' : String(number);
}

function tagsOf(run: ExportedRun): Record<string, string> {
  const { tags } = run.environment;
  const own = isPlainObject(tags) ? Object.entries(tags).filter(([, text]) => typeof text === 'string') : [];
  return {
    ...Object.fromEntries(own.map(([name, text]) => [name, String(text)])),
    'mlflow.runName': run.name,
    ...(run.notes === '' ? {} : { 'mlflow.note.content': run.notes }),
    ...(run.tags.length === 0 ? {} : { 'warren.tags': run.tags.join(', ') }),
    ...(run.dataset === null ? {} : { 'warren.dataset': run.dataset.name }),
    'warren.kind': run.kind ?? '',
    'warren.run': String(run.number),
  };
}

/** Files of a run, but for the contents of media. */
async function downloadFiles(api: ApiClient, runId: string, folder: string): Promise<void> {
  const { artifacts } = await fetchRunDetail(api, runId);
  for (const { name, role } of artifacts) {
    const path = resolve(folder, name);
    if (role === 'media' || !path.startsWith(folder + sep)) continue;
    await mkdir(dirname(path), { recursive: true });
    const place = name.split('/').map(encodeURIComponent).join('/');
    const content = await api.download(`/artifacts/${runId}/${place}`);
    await pipeline(nodeStream(content), createWriteStream(path));
  }
}
