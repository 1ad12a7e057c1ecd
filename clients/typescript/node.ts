import { basename, join } from 'node:path';
import { apiOver } from './core/api.ts';
import { newestRunFunctions } from './core/newestRun.ts';
import type { Api } from './declarations/reading.mjs';
import type { FinishOptions } from './core/run.ts';
import { transportTo } from './core/transport.ts';
import { namedBy, versionOf } from './core/versions.ts';
import { type AgentOptions, executeTrials } from './node/agent.ts';
import { executeIfProgram } from './node/commandLine.ts';
import { keepDownload } from './node/keepDownload.ts';
import { findJournals } from './node/journal.ts';
import { type NodeInitOptions, startRun } from './node/start.ts';
import type { ArtifactOptions, NodeRun, StartedRun, VersionOptions } from './node/startedRun.ts';
import { type SweepOptions, startSweep } from './node/sweep.ts';
import { type SyncOptions, type Synced, syncJournal } from './node/syncing.ts';

export { Audio, Chart, Histogram, Html, Image, Table, Text, Video } from './core/media.ts';
export { plot } from './core/plot.ts';
export type { Api, ReadGroup, ReadRun, ReadSweep, RunsQuery } from './declarations/reading.mjs';
export type { LogPlace, MetricDefinition, Run } from './core/run.ts';
export type { NodeRun } from './node/startedRun.ts';
export { Stopped } from './node/stopped.ts';
export { Refused, Unreachable } from './core/failures.ts';

interface Trains<Parameters> {
  train(config: Parameters, run: NodeRun): unknown;
}

let current: StartedRun | null = null;

function open(): StartedRun {
  if (current === null) throw new Error('await init() must be called first');
  return current;
}

function serverOf(given: string | undefined): string {
  return given || process.env.WARREN_API_URL || 'http://127.0.0.1:4680';
}

/** Reads what a server has, whoever logged it: runs, their parameters, values, curves, logs and files. */
export function api(options: { server?: string; token?: string } = {}): Api {
  return apiOver(transportTo(serverOf(options.server), options.token ?? process.env.WARREN_TOKEN ?? null));
}

/** Starts a run and answers it; the functions below are about the newest one. */
export async function init(options: NodeInitOptions = {}): Promise<NodeRun> {
  current = await startRun(options, serverOf(options.server));
  return current.run;
}

export const { log, config, summary, defineMetric, alert, logText } = newestRunFunctions(() => open().run);

/** Keeps a file, or every file of a folder, with the run. The bytes are copied before the call returns. */
export function logArtifact(path: string, name?: string | ArtifactOptions, mediaType?: string): void {
  open().run.logArtifact(path, name, mediaType);
}

/** Registers an artifact of the newest run, or a folder of artifacts, as the next version of a model or dataset. */
export function registerModel(name: string, artifact: string, options?: VersionOptions): void {
  open().run.registerModel(name, artifact, options);
}

/**
 * Downloads `RUN:NAME`, a file of a run by id or number, or a registered version, such as `ranker@production`, which the newest
 * run is noted to have taken. Answers the path of the file, or of the folder of a version's several files; for versions it may be
 * left out: they come below `artifacts/`.
 */
export async function useArtifact(
  reference: string,
  path?: string,
  options: { server?: string; token?: string } = {},
): Promise<string> {
  const named = namedBy(reference);
  const transport = transportTo(serverOf(options.server), options.token ?? process.env.WARREN_TOKEN ?? null);
  if ('run' in named) {
    if (path === undefined) throw new TypeError(`useArtifact: where is ${reference} to be kept? Give a path`);
    await keepDownload(transport, { runId: named.run, name: named.name }, path);
    return path;
  }
  const { name, files, runId } = await versionOf(transport, named, process.env.WARREN_RUN_ID);
  const [only] = files;
  const folder = join('artifacts', name.replace(':', '-v'));
  const single = files.length === 1 && only !== undefined;
  const base = path ?? (single ? join(folder, basename(only.path)) : folder);
  for (const { path: within, artifactName, sha256 } of files) {
    const target = single ? base : join(base, ...partsOf(within));
    await keepDownload(transport, { runId, name: artifactName, sha256 }, target);
  }
  current?.run.noteUse(name);
  return base;
}

/** The folders and the name in a path. @throws TypeError where they would lead out of a folder */
function partsOf(path: string): string[] {
  const parts = path.split('/');
  const isPlain = parts.every((part) => !['', '.', '..'].includes(part) && !/[\\:]/.test(part));
  if (isPlain) return parts;
  throw new TypeError(`useArtifact: the version has a file '${path}', which cannot be kept under that name`);
}

/**
 * Executes trials of a sweep until it has no more, and answers how many. Start as many programs with an agent as you like, anywhere.
 * @param sweep Its number, which `sweep` answers.
 * @param train Is called with the configuration and the run of each trial, and awaited; without it the program of the sweep is
 * executed. One that throws has failed, and the next trial follows.
 * @param options What `init` is told for each trial, parameters of yours under `config` among it; `count`: trials at most.
 * @throws Error where there is no such sweep, or workers execute its trials
 */
export async function agent<Parameters extends object = Record<string, unknown>>(
  sweep: string | number,
  train?: Trains<Parameters>['train'] | null,
  { count = Number.POSITIVE_INFINITY, ...options }: AgentOptions = {},
): Promise<number> {
  const server = serverOf(options.server);
  const token = options.token ?? process.env.WARREN_TOKEN ?? null;
  const open = async (): Promise<StartedRun> => {
    current = await startRun(options, server);
    return current;
  };
  return await executeTrials(sweep, train ?? null, { server, token, count, open });
}

/**
 * Starts a sweep, and answers its number for `agent`.
 * @param file In W&B's format: method, metric, parameters, run_cap, early_terminate, program or command. Where it names no `kind` of
 * Warren's, agents execute the trials.
 * @throws Error that says what is wrong with it
 */
export async function sweep(file: Readonly<Record<string, unknown>>, options: SweepOptions = {}): Promise<number> {
  const token = options.token ?? process.env.WARREN_TOKEN ?? null;
  return await startSweep(file, options, { server: serverOf(options.server), token });
}

/** Ends the run and waits until all is sent. The end of the program does it, too. */
export async function finish(options: FinishOptions = {}): Promise<void> {
  const ending = current;
  current = null;
  await ending?.run.finish(options);
}

/** Sends what offline or killed programs left below a folder; again and again is harmless. @throws Unreachable */
export async function sync(folder = 'warren-runs', options: SyncOptions = {}): Promise<Synced[]> {
  const done: Synced[] = [];
  const told = { server: process.env.WARREN_API_URL || undefined, token: process.env.WARREN_TOKEN, ...options };
  for (const path of findJournals(folder)) done.push(await syncJournal(path, told));
  return done;
}

void executeIfProgram({ sync, agent: (number, options) => agent(number, null, options) });
