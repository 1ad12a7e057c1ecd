/** What a running experiment tells: from the compute thread to the executor, to the supervisor, to the database. */

/** Metrics that one run may have, unless the environment says otherwise. */
export const SERIES_PER_RUN = 2_000;

/** What the log of one attempt takes at most, unless the environment says otherwise. */
export const LOG_BYTES = 64 * 2 ** 20;

/** What a line takes beside its text: its row, and its place in an index. */
export const BYTES_BESIDE_TEXT = 100;

export interface MetricPointReport {
  type: 'metric';
  /** Lower-case path, such as `train/loss` or `test/ndcg@10`. */
  name: string;
  /** 0 to 2⁵³. */
  step: number;
  /** May be NaN or infinite. */
  value: number;
  /** Unix milliseconds. */
  timeMs: number;
}

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface LogLineReport {
  type: 'log';
  /** Counted from 0 in each attempt, given by the executor. */
  line: number;
  level: LogLevel;
  text: string;
  timeMs: number;
}

export interface ProgressReport {
  type: 'progress';
  /** 0 to 1. */
  fraction: number;
  /** What is being done: `epoch 3 of 20`. */
  message: string;
}

export interface ArtifactReport {
  type: 'artifact';
  /** Relative path inside the run: `predictions.npy`, `checkpoint/latest`. */
  name: string;
  role: 'output' | 'checkpoint' | 'media';
  mediaType: string;
  sha256: string;
  sizeBytes: number;
  /** The step from which a new attempt may go on; checkpoints only. Of a command's: the last one logged, unless given. */
  step?: number;
}

/** Facts learnt while running: dataset fingerprint, backend, device, timings in seconds, peak memory. */
export interface EnvironmentReport {
  type: 'environment';
  values: Record<string, unknown>;
}

/** Something that a person should know before trusting the run's numbers: it becomes an event of the run. */
export interface WarningReport {
  type: 'warning';
  message: string;
}

/** The checkpoint to go on from cannot be used, so the attempt begins anew: what the run recorded up to now is void. */
export interface RestartReport {
  type: 'restart';
  /** Of the checkpoint. */
  sha256: string;
  message: string;
}

export type Report =
  | MetricPointReport
  | LogLineReport
  | ProgressReport
  | ArtifactReport
  | EnvironmentReport
  | WarningReport
  | RestartReport;
