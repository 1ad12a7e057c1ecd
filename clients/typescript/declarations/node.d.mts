import type { InitOptions, Run } from './common.mjs';
import type { Api } from './reading.mjs';

export * from './common.mjs';
export * from './reading.mjs';

export interface NodeInitOptions extends InitOptions {
  /** "offline": kept until it is synced. "disabled": nothing is recorded. */
  mode?: 'online' | 'offline' | 'disabled';
  /** The folder of journals; default `warren-runs`. */
  dir?: string;
  /** Whether what the program prints becomes lines of the log; unless given, in the first process of a job only. */
  console?: boolean;
  /** Whether uncommitted changes and the list of packages are kept as files of the run; true unless given. */
  saveCode?: boolean;
}

/** What is said of a registered version. */
export interface VersionOptions {
  /** Names that point to it from now on; `latest` always is the newest version. */
  aliases?: string | readonly string[];
  /** What it is: a model unless given. */
  type?: 'model' | 'dataset';
  description?: string;
  tags?: Readonly<Record<string, unknown>>;
}

/** How a file or folder is kept. */
export interface ArtifactOptions extends VersionOptions {
  /** Of the file or folder in the run; that of the path unless given. */
  name?: string;
  /** By the name's end unless given. */
  mediaType?: string;
  /** A name under which it becomes the next version of a model or dataset; true: its own. `aliases` alone register it, too. */
  register?: string | boolean;
}

/** A run of a Node program. */
export interface NodeRun extends Run {
  /** Aborted when the server has ended the run: it was cancelled, or its sweep stopped it early. */
  readonly signal: AbortSignal;
  /** Keeps a file, or every file of a folder, with the run. The bytes are copied before the call returns. */
  logArtifact(path: string, name?: string | ArtifactOptions, mediaType?: string): void;
  /** Registers an artifact of the run, or a folder of artifacts, as the next version of a model or dataset. */
  registerModel(name: string, artifact: string, options?: VersionOptions): void;
}

/** The server has ended the run: it was cancelled, or its sweep stopped it early. */
export class Stopped extends Error {}

export interface SyncOptions {
  /** Another server than the one that a journal names. */
  server?: string | undefined;
  token?: string | undefined;
  /** Of the runs that are made, instead of the one that their programs named. */
  project?: string | undefined;
}

/** What became of a journal. */
export interface Synced {
  path: string;
  outcome: 'sent' | 'nothing new' | 'in use' | 'no room' | 'refused';
  detail: string;
  /** Of the run's page, where something was sent. */
  url?: string;
}

/** Reads what a server has, whoever logged it: runs, their parameters, values, curves, logs and files. */
export function api(options?: { server?: string; token?: string }): Api;
/** Starts a run and answers it; the functions of this module are about the newest one. */
export function init(options?: NodeInitOptions): Promise<NodeRun>;
/** Keeps a file, or every file of a folder, with the run. The bytes are copied before the call returns. */
export function logArtifact(path: string, name?: string | ArtifactOptions, mediaType?: string): void;
/** Registers an artifact of the newest run, or a folder of artifacts, as the next version of a model or dataset. */
export function registerModel(name: string, artifact: string, options?: VersionOptions): void;
/**
 * Downloads `RUN:NAME`, a file of a run by id or number, or a registered version, such as `ranker@production` or `ranker:3`, which the
 * newest run is noted to have taken. Answers the path of the file, or of the folder of a version's several files; for versions
 * it may be left out: they come below `artifacts/`.
 */
export function useArtifact(
  reference: string,
  path?: string,
  options?: { server?: string; token?: string },
): Promise<string>;
/** Sends what offline or killed programs left below a folder; again and again is harmless. @throws Unreachable */
export function sync(folder?: string, options?: SyncOptions): Promise<Synced[]>;

/** What `init` is told for each trial, but for what the sweep says. */
export interface AgentOptions extends Omit<NodeInitOptions, 'id' | 'resume' | 'mode' | 'project' | 'seed'> {
  /** Trials at most. */
  count?: number;
}

export interface SweepOptions {
  /** Of its runs, over what the file says. */
  project?: string;
  /** What people call it, over what the file says. */
  name?: string;
  server?: string;
  token?: string;
}

/**
 * Executes trials of a sweep until it has no more, and answers how many. `train` is called with the configuration and the run of each
 * trial, and awaited; without it the program of the sweep is executed. One that throws has failed, and the next trial follows.
 */
export function agent<Parameters extends object = Record<string, unknown>>(
  sweep: string | number,
  train?: ((config: Parameters, run: NodeRun) => unknown) | null,
  options?: AgentOptions,
): Promise<number>;
/** Starts a sweep of a file in W&B's format, and answers its number for `agent`. */
export function sweep(file: Readonly<Record<string, unknown>>, options?: SweepOptions): Promise<number>;
