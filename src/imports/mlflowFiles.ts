import { closeSync, existsSync, fstatSync, lstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { badInput } from '#src/base/contracts/errors.ts';
import { looseNumber } from './looseNumbers.ts';
import { type ArtifactsPlace, artifactsFolder, type MlflowOptions } from './mlflowArtifacts.ts';
import { tellLeftOut } from './mlflowLeftOut.ts';
import { mlflowFacts, mlflowId } from './mlflowRun.ts';
import type { SourceItem, SourceRuns } from './source.ts';
import { textLines } from './textLines.ts';

// The layout of mlflow/store/tracking/file_store.py.

const word = z.union([z.string(), z.number()]).transform(String);
const experimentSchema = z.object({ name: word });
const STATUSES = ['', 'RUNNING', 'SCHEDULED', 'FINISHED', 'FAILED', 'KILLED'];
const runSchema = z.object({
  run_id: word.optional(),
  run_uuid: word.optional(),
  run_name: word.nullish(),
  user_id: word.nullish(),
  status: z.union([z.number().transform((number) => STATUSES[number] ?? ''), z.string()]),
  start_time: z.number().nullish(),
  end_time: z.number().nullish(),
  lifecycle_stage: z.string().nullish(),
});

const POINTS_AT_ONCE = 4_096;

/** Bytes of a parameter, a tag or metadata; what is beyond is left out. */
const LONGEST_TEXT = 100_000;

function readText(path: string): string {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(Math.min(fstatSync(file).size, LONGEST_TEXT));
    return bytes.toString('utf8', 0, readSync(file, bytes, 0, bytes.length, 0));
  } finally {
    closeSync(file);
  }
}

/** The metadata of a folder; null where it has none that can be read. */
function readMeta<Meta>(folder: string, schema: z.ZodType<Meta>): Meta | null {
  const path = join(folder, 'meta.yaml');
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return null;
  try {
    return schema.parse(parse(readText(path)));
  } catch {
    return null;
  }
}

function folders(path: string): string[] {
  const entries = readdirSync(path, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => join(path, name))
    .sort();
}

/** Files below a folder, by their names within it with slashes; links are not followed. */
function filesBelow(folder: string): { name: string; path: string }[] {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  const visit = (path: string): string[] =>
    readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
      const inside = join(path, entry.name);
      return entry.isDirectory() ? visit(inside) : entry.isFile() ? [inside] : [];
    });
  return visit(folder)
    .sort()
    .map((path) => ({ path, name: relative(folder, path).split('\\').join('/') }));
}

function textsIn(folder: string): Record<string, string> {
  return Object.fromEntries(filesBelow(folder).map(({ name, path }) => [name, readText(path)]));
}

/**
 * The runs of a folder `mlruns`, deleted ones only where they are asked for.
 * @throws WarrenError BAD_INPUT when there is no experiment, or none of the name that is asked for.
 */
export async function* mlflowFileRuns(source: string, options: MlflowOptions): SourceRuns {
  const { project, experiment: wanted, artifacts: allowed } = options;
  const trash = join(source, '.trash');
  const experiments = [...folders(source), ...(existsSync(trash) ? folders(trash) : [])].flatMap((folder) => {
    const meta = readMeta(folder, experimentSchema);
    const isDeleted = dirname(folder) === trash;
    return meta === null || (wanted !== undefined && meta.name !== wanted)
      ? []
      : [{ folder, name: meta.name, isDeleted }];
  });
  let deletedRuns = 0;
  if (experiments.length === 0) {
    const what = wanted === undefined ? 'no experiment' : `no experiment "${wanted}"`;
    throw badInput(`${source}: there is ${what} of MLflow's file store in it`, 'source');
  }
  for (const { runFolder, runId, meta, experiment, isTrash } of runsByStart(experiments)) {
    const isDeleted = isTrash || meta.lifecycle_stage === 'deleted';
    if (isDeleted && options.deleted !== true) {
      deletedRuns++;
      continue;
    }
    const tags = textsIn(join(runFolder, 'tags'));
    const name = meta.run_name ?? tags['mlflow.runName'] ?? runId;
    const facts = mlflowFacts({
      runId,
      name,
      experiment,
      status: meta.status,
      userName: meta.user_id ?? '',
      tags,
      isDeleted,
      parameters: textsIn(join(runFolder, 'params')),
      startMs: meta.start_time ?? null,
      endMs: meta.end_time ?? null,
    });
    yield {
      id: mlflowId(runId, project),
      label: name,
      facts,
      read: () => readRun(runFolder, runId, { home: source, allowed: allowed ?? null }),
    };
  }
  const models = join(source, 'models');
  const isModel = (folder: string) => readMeta(folder, experimentSchema) !== null;
  const registeredModels = existsSync(models) ? folders(models).filter(isModel).length : 0;
  tellLeftOut({ deletedRuns, registeredModels }, options);
}

/** The runs of experiments as they began, since they get their numbers in this order; their folders have random names. */
function runsByStart(experiments: readonly { folder: string; name: string; isDeleted: boolean }[]) {
  const runs = experiments.flatMap(({ folder, name: experiment, isDeleted: isTrash }) =>
    folders(folder).flatMap((runFolder) => {
      const meta = readMeta(runFolder, runSchema);
      const runId = meta?.run_id ?? meta?.run_uuid;
      return meta === null || runId === undefined ? [] : [{ runFolder, runId, meta, experiment, isTrash }];
    }),
  );
  return runs.sort((a, b) => (a.meta.start_time ?? 0) - (b.meta.start_time ?? 0));
}

function* readRun(folder: string, runId: string, place: ArtifactsPlace): Generator<SourceItem> {
  for (const { name, path } of filesBelow(join(folder, 'metrics'))) yield* readMetric(name, path);
  const artifacts = join(folder, 'artifacts');
  const isLink = lstatSync(artifacts, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  const found = isLink ? artifactsFolder(resolve(artifacts), runId, place) : { folder: artifacts };
  if (found !== null && 'warning' in found) yield { type: 'warning', text: found.warning };
  if (found === null || 'warning' in found) return;
  for (const { name, path } of filesBelow(found.folder)) {
    if (statSync(path).size > 0) yield { type: 'file', name, path };
  }
}

/** Lines of time, value and step; in the oldest files without a step. */
function* readMetric(name: string, path: string): Generator<SourceItem> {
  let points = { steps: [] as number[], values: [] as number[], times: [] as number[] };
  let number = 0;
  let wrong = 0;
  let firstWrong = 0;
  for (const line of textLines(path)) {
    number++;
    if (line.trim() === '') continue;
    const [time, value, step = 0] = line
      .trim()
      .split(/\s+/)
      .map((part) => looseNumber(part));
    if (time == null || value == null || step === null || !Number.isInteger(step)) {
      if (wrong++ === 0) firstWrong = number;
      continue;
    }
    points.steps.push(step);
    points.values.push(value);
    points.times.push(time);
    if (points.steps.length < POINTS_AT_ONCE) continue;
    yield { type: 'points', name, ...points };
    points = { steps: [], values: [], times: [] };
  }
  if (points.steps.length > 0) yield { type: 'points', name, ...points };
  if (wrong === 0) return;
  const which = wrong === 1 ? `line ${firstWrong}` : `${wrong} lines from line ${firstWrong} on`;
  yield { type: 'warning', text: `${path}: ${which} cannot be read and is left out` };
}
