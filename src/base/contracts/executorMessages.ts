import type { Arithmetic, RunArithmetic } from './arithmetic.ts';
import type { ErrorRecord } from './errors.ts';
import type { Report } from './reports.ts';

/** Where an artifact of another run, or a checkpoint of an earlier attempt, can be read. */
export interface ArtifactSource {
  name: string;
  sha256: string;
  sizeBytes: number;
  /** `http(s):` address of the API's store, or a `file:` address when there are no services. */
  url: string;
  /** The step of a checkpoint. */
  step?: number;
}

/** Everything an executor needs to execute one attempt: it reads no database and no queue. */
export interface ExecutorTask {
  runId: string;
  attempt: number;
  kind: string;
  /** The version that the configuration names; left out where it is the program's own. */
  kindVersion?: number;
  /** Validated, with all defaults filled in. */
  parameters: Record<string, unknown>;
  /** Dataset selection (`src/catalog/datasetSelection.ts`), or null for kinds without one. */
  dataset: Record<string, unknown> | null;
  seed: number;
  /** Unix milliseconds of the run's first start: `system/*` metrics count seconds from it. */
  startedAtMs: number;
  /** Compute threads that the attempt may use. */
  threads: number;
  /** Folders searched for datasets, in order. */
  dataFolders: string[];
  /** Whether a known dataset that is in none of them may not be fetched from its public home. */
  offline: boolean;
  cacheFolder: string;
  /** Fingerprints of the dataset as earlier runs met it. */
  earlierFingerprints: string[];
  /** What the log of the attempt takes at most; `LOG_BYTES` when left out. */
  logBytes?: number;
  /** Scratch folder of the attempt, removed afterwards. */
  workFolder: string;
  inputs: Record<string, ArtifactSource>;
  checkpoint: ArtifactSource | null;
  /** Where artifacts go: PUT `${baseUrl}/${name}` with the header, or a folder when there are no services. */
  artifactSink: { baseUrl: string; headers: Record<string, string> } | { folder: string };
  /** Forced tensor backend, from WARREN_BACKEND. */
  backend: string | null;
  /** What a run that begins computes with, from WARREN_FUSED. */
  arithmetic: Arithmetic;
  /** What the checkpoint was computed with, and the run goes on with; absent without a checkpoint. */
  checkpointArithmetic?: RunArithmetic;
  /** Whether its sweep may stop it early: it keeps at hand what it would go on from. */
  mayBePruned?: boolean;
  /** Whether its executor may wait for another task once this one has succeeded; otherwise it exits. */
  mayStay?: boolean;
}

/** A Unix user as whom commands run. */
export interface CommandUser {
  name: string;
  uid: number;
  gid: number;
  /** The home folder, which need not be there. */
  home: string;
  /** Where pip and uv keep what they have fetched for this user. */
  cacheFolder: string;
}

export type ContainerEngine = 'podman' | 'docker';

/** Everything that is needed to execute one attempt of a user's own program. */
export interface CommandTask {
  runId: string;
  attempt: number;
  /** The name of the project that the run is in. */
  project: string;
  seed: number;
  /** Unix milliseconds of the run's first start. */
  startedAtMs: number;
  /** Program and arguments, filled in. */
  command: string[];
  /** With which it was queued, but for what is to be executed. */
  parameters: Record<string, unknown>;
  /** The archive in which it is executed. */
  code: ArtifactSource | null;
  /** The folder of the archive in which it starts. */
  folder: string;
  /** `none`, `auto` where packages are installed for it, or `container:IMAGE`. */
  environment: string;
  /** What runs containers on this machine; null where nothing does. */
  containerEngine: ContainerEngine | null;
  /** As whom it runs; null: as the worker's own user. */
  user: CommandUser | null;
  /** The clients, which programs import. */
  clientsFolder: string;
  /** Where the packages of earlier runs are kept. */
  environmentsFolder: string;
  /** What an earlier attempt left in its checkpoint folder. */
  checkpoint: ArtifactSource | null;
  /** Files that it finds, by their paths in the folder of inputs. */
  inputs: Record<string, ArtifactSource>;
  /** Numbers of the GPUs that are its own. */
  gpus: number[];
  /** More memory, in MiB, ends it; null for no limit of its own. */
  memoryMb: number | null;
  /** It is ended after so many seconds. */
  seconds: number | null;
  /** What the log of the attempt takes at most; `LOG_BYTES` when left out. */
  logBytes?: number;
  /** Scratch folder of the attempt, removed afterwards. */
  workFolder: string;
  apiUrl: string;
  /** Good for this attempt alone. */
  token: string;
}

export type ToExecutor<Task = ExecutorTask> =
  | { type: 'start'; task: Task }
  | { type: 'cancel' }
  /** As `cancel`, but what a continued run needs is left as its checkpoint first. */
  | { type: 'prune' }
  /** Batch `sequence` is safe in the database: the executor may forget it. */
  | { type: 'acknowledge'; sequence: number };

export type FromExecutor =
  | { type: 'ready' }
  /** The leader of the process group that the executor has started; null when that has ended. */
  | { type: 'program'; pid: number | null }
  | { type: 'reports'; sequence: number; reports: Report[] }
  | { type: 'finished'; outcome: 'succeeded' | 'cancelled' }
  | { type: 'failed'; error: ErrorRecord }
  /** The task is done with, and all that it reported is acknowledged: the executor waits for the next one. */
  | { type: 'free' };
