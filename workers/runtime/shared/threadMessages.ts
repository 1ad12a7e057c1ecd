import type { ErrorRecord } from '#src/base/contracts/errors.ts';
import type { ExecutorTask } from '#src/base/contracts/executorMessages.ts';
import type {
  ArtifactReport,
  EnvironmentReport,
  LogLineReport,
  MetricPointReport,
  ProgressReport,
  RestartReport,
  WarningReport,
} from '#src/base/contracts/reports.ts';

export interface StartThread {
  type: 'start';
  task: ExecutorTask;
  control: SharedArrayBuffer;
}

/** A file that the thread has written for upload, in the place that its report has in the stream. */
export interface FileReport {
  type: 'file';
  path: string;
  artifact: ArtifactReport;
}

/** A checkpoint that is stored only where the run is stopped early; the next one replaces it. */
export interface HeldReport {
  type: 'held';
  path: string;
  artifact: ArtifactReport;
}

/** The executor numbers log lines: the thread's own and those that it captures. */
export type ThreadReport =
  | MetricPointReport
  | Omit<LogLineReport, 'line'>
  | ProgressReport
  | EnvironmentReport
  | WarningReport
  | RestartReport
  | FileReport
  | HeldReport;

export type FromThread =
  | { type: 'reports'; reports: ThreadReport[] }
  /** `stays`: nothing of the task is left, and the thread waits for another. */
  | { type: 'finished'; stays: boolean }
  | { type: 'cancelled' }
  | { type: 'failed'; error: ErrorRecord };
