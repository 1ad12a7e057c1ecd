import { existsSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { badInput } from '#src/contracts/errors.ts';
import { looseNumber } from './looseNumbers.ts';
import { type ArtifactsPlace, artifactsFolder, type MlflowOptions } from './mlflowArtifacts.ts';
import { mlflowFacts, mlflowId } from './mlflowRun.ts';
import type { SourceItem, SourceRuns } from './source.ts';

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

/** The metadata of a folder; null where it has none that can be read. */
function readMeta<Meta>(folder: string, schema: z.ZodType<Meta>): Meta | null {
  const path = join(folder, 'meta.yaml');
  if (!existsSync(path)) return null;
  try {
    return schema.parse(parse(readFileSync(path, 'utf8')));
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
  return Object.fromEntries(filesBelow(folder).map(({ name, path }) => [name, readFileSync(path, 'utf8')]));
}

/**
 * The runs of a folder `mlruns`, deleted ones left out.
 * @throws WarrenError BAD_INPUT when there is no experiment, or none of the name that is asked for.
 */
export async function* mlflowFileRuns(
  source: string,
  { project, experiment: wanted, artifacts: allowed }: MlflowOptions,
): SourceRuns {
  const experiments = folders(source).flatMap((folder) => {
    const meta = readMeta(folder, experimentSchema);
    return meta === null || (wanted !== undefined && meta.name !== wanted) ? [] : [{ folder, name: meta.name }];
  });
  if (experiments.length === 0) {
    const what = wanted === undefined ? 'no experiment' : `no experiment "${wanted}"`;
    throw badInput(`${source}: there is ${what} of MLflow's file store in it`, 'source');
  }
  for (const { folder, name: experiment } of experiments) {
    for (const runFolder of folders(folder)) {
      const meta = readMeta(runFolder, runSchema);
      const runId = meta?.run_id ?? meta?.run_uuid;
      if (meta === null || runId === undefined || meta.lifecycle_stage === 'deleted') continue;
      const tags = textsIn(join(runFolder, 'tags'));
      const name = meta.run_name ?? tags['mlflow.runName'] ?? runId;
      const facts = mlflowFacts({
        ...{ runId, name, experiment, status: meta.status, userName: meta.user_id ?? '', tags },
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
  }
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
  const [steps, values, times]: [number[], number[], number[]] = [[], [], []];
  const lines = readFileSync(path, 'utf8').split('\n');
  const wrong: number[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const [time, value, step = 0] = line
      .trim()
      .split(/\s+/)
      .map((part) => looseNumber(part));
    if (time == null || value == null || step === null || !Number.isInteger(step)) {
      wrong.push(index + 1);
      continue;
    }
    steps.push(step);
    values.push(value);
    times.push(time);
  }
  if (steps.length > 0) yield { type: 'points', name, steps, values, times };
  if (wrong.length === 0) return;
  const which = wrong.length === 1 ? `line ${wrong[0]}` : `${wrong.length} lines from line ${wrong[0]} on`;
  yield { type: 'warning', text: `${path}: ${which} cannot be read and is left out` };
}
