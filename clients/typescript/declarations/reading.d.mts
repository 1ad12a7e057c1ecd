/** How far a run is. */
export type RunState = 'QUEUED' | 'WAITING' | 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED' | 'PRUNED' | 'CRASHED';

export interface RunsQuery {
  /** Name of a project; all unless given. */
  project?: string;
  /** As in the dashboard and in `warren ls`: `state = SUCCEEDED and config.lr < 0.1`. */
  filter?: string;
  /** A field of filters, `-` before it for the greatest first: `-metric."test/ndcg@10"`. The newest first unless given. */
  order?: string;
}

/** What is read page by page as it is looked at, by `for await`; or all of it. */
export interface Pages<Entry> extends AsyncIterable<Entry> {
  all(): Promise<Entry[]>;
}

/** A metric of a run, summed up. */
export interface ReadMetric {
  name: string;
  /** The value that stands for it: the last unless the program said otherwise. */
  summary: number;
  lastValue: number;
  lastStep: number;
  minimum: number | null;
  maximum: number | null;
  pointCount: number;
}

export interface ReadFile {
  name: string;
  mediaType: string;
  sizeBytes: number;
  sha256: string;
  /** What `useArtifact` takes. */
  reference: string;
}

/** A step of curves: its number, its time in Unix milliseconds, and by name what was logged there. */
export interface HistoryRow {
  step: number;
  time: number;
  values: Record<string, number>;
}

/** A run that the server has, as it was when it was read. */
export interface ReadRun {
  id: string;
  number: number;
  url: string;
  name: string;
  state: RunState;
  tags: readonly string[];
  notes: string;
  user: string | null;
  seed: number;
  project: string;
  kind: string;
  dataset: string | null;
  /** Of all but the seed: runs that share it are replicates. */
  configurationHash: string;
  createdAt: Date;
  startedAt: Date | null;
  endedAt: Date | null;
  config: Record<string, unknown>;
  /** By metric the value that stands for it; the newest texts, too, of several at one step all. */
  summary: Record<string, number | string | readonly string[]>;
  metrics: readonly ReadMetric[];
  /** Its curves, one row a step. `keys`: these metrics alone. `samples`: points of a curve at most, up to 20,000; 500 unless given. */
  history(options?: { keys?: readonly string[]; samples?: number }): Promise<HistoryRow[]>;
  /** Every point, one row a step; with `keys` these metrics alone, at the steps where all of them have a value. */
  scanHistory(options?: { keys?: readonly string[] }): Pages<HistoryRow>;
  /** The lines of its log. */
  logs(): Pages<string>;
  /** The files that it has kept. */
  files(): Promise<ReadFile[]>;
}

/** A metric over the runs of a group; null where no run has a value, and what one value cannot tell. */
export interface GroupStatistics {
  n: number;
  mean: number | null;
  standardDeviation: number | null;
  standardError: number | null;
  /** The 95 % interval of the mean. */
  low: number | null;
  high: number | null;
  minimum: number | null;
  maximum: number | null;
}

export interface ReadGroup {
  /** What its runs share, by field. */
  values: Record<string, unknown>;
  runs: number;
  metrics: Record<string, GroupStatistics>;
}

export interface GroupsQuery extends Omit<RunsQuery, 'order'> {
  metrics?: readonly string[];
  /** The values at the step where this metric was best, such as the test at the best validation. */
  bestOf?: string;
}

/** A trial of a sweep; `point` has what was drawn, by path. */
export interface ReadTrial {
  number: number;
  state: string;
  point: Record<string, unknown>;
  /** The mean over its seeds; null until there is one. */
  objective: number | null;
  error: string | null;
  /** Numbers of its runs. */
  runs: readonly number[];
}

/** How many trials there are in each state. */
export interface TrialCounts {
  total: number;
  running: number;
  succeeded: number;
  failed: number;
  cancelled: number;
  pruned: number;
  /** How many there are to be; null without a limit. */
  planned: number | null;
}

/** What a sweep gets to do beside what it has. */
export interface SweepExtension {
  trials?: number;
  /** Counted from its creation. */
  hours?: number;
  /** Trained by all runs together. */
  epochs?: number;
  /** Trials under way at once. */
  concurrency?: number;
  /** Ends it after so many trials without a better one. */
  untilNothingBetterIn?: number;
  /** Parameters that are new, or get other values; the others stay. Not for grids. */
  parameters?: Readonly<Record<string, unknown>>;
}

/** A sweep that the server has, as it was when it was read. What changes it answers it as it is then; `load` reads it again. */
export interface ReadSweep {
  id: string;
  number: number;
  url: string;
  name: string;
  project: string;
  state: string;
  reason: string;
  createdAt: Date;
  endedAt: Date | null;
  /** Method, metric, parameters and all else, defaults filled in. */
  config: Record<string, unknown>;
  /** The best of its trials; null without any. */
  best: Pick<ReadTrial, 'number' | 'point' | 'objective'> | null;
  counts: TrialCounts;
  /** Seeds to confirm a trial with that agents are still to take. */
  untakenSeeds: number[];
  trials(): Pages<ReadTrial>;
  /** The runs of its trials, and those that confirm trials, the newest first. */
  runs(): Pages<ReadRun>;
  /** The runs that confirm a trial on fresh seeds, the newest 100 of them. */
  confirmations(): Promise<ReadRun[]>;
  /** Draws no more trials until it is resumed. */
  pause(): Promise<ReadSweep>;
  /** Goes on where it was paused. */
  resume(): Promise<ReadSweep>;
  /** Ends it, and the runs of it that have not ended. */
  cancel(): Promise<ReadSweep>;
  /** Gives it more to do; one that has finished goes on. */
  extend(extension: SweepExtension): Promise<ReadSweep>;
  /**
   * Has the best trial, or another one, executed with fresh seeds, 5 unless given: only their mean is worth reporting. Answers the
   * numbers of the runs that were queued; none where agents execute the trials: the next `agent` takes them.
   */
  confirm(options?: { seeds?: number; trial?: number }): Promise<number[]>;
  load(): Promise<ReadSweep>;
}

/** What a server has. */
export interface Api {
  /** Runs that meet a filter, read page by page as they are looked at. */
  runs(query?: RunsQuery): Pages<ReadRun>;
  /** How many there are. */
  count(query?: Omit<RunsQuery, 'order'>): Promise<number>;
  /** The run with this id or number. @throws Error where there is none */
  run(id: string | number): Promise<ReadRun>;
  /** Groups of runs that share fields, such as `kind`, a parameter, or `configuration`, which is all but the seed, with statistics of metrics. */
  groups(by: string | readonly string[], query?: GroupsQuery): Promise<ReadGroup[]>;
  /** The sweep with this id or number. @throws Error where there is none */
  sweep(id: string | number): Promise<ReadSweep>;
  /** The sweeps of a project, or of all, the newest first. */
  sweeps(query?: { project?: string }): Pages<ReadSweep>;
  /** Names of the projects. */
  projects(): Promise<string[]>;
  /** The data of any other question; the server describes them at /explorer. @throws Refused, Unreachable */
  graphql(query: string, variables?: Readonly<Record<string, unknown>>): Promise<unknown>;
}
