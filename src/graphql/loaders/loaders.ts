import DataLoader from 'dataloader';
import type { Database } from '#src/platform/postgres/database.ts';
import { declaredMetric } from '#src/catalog/metricDirection.ts';
import type { MetricInfo } from '#src/catalog/rankingMetrics.ts';
import { type MetricColumns, metricHistory } from '#src/services/reports/metricHistory.ts';
import { readSweep, type SweepView } from '#src/services/sweeps/sweepView.ts';
import { datasetsOfWorkers } from '#src/services/fleet/missingDataset.ts';
import { findRules, type RuleRecord } from '#src/store/alerts/ruleRecord.ts';
import { type ArtifactRecord, listArtifacts } from '#src/store/artifacts/artifactRecord.ts';
import { type AttemptRecord, listAttempts } from '#src/store/attempts/attemptRecord.ts';
import { type ConfigurationRecord, findConfigurationsWithin } from '#src/store/runs/configurationRecord.ts';
import { listProjectActivity, type ProjectActivity } from '#src/store/records/projectActivity.ts';
import { countRunsByProject, findProjects, type ProjectRecord } from '#src/store/records/projectRecord.ts';
import { type LastLogLine, listLastLogLines, nextLogLines } from '#src/store/reports/logLines.ts';
import {
  bytesOfSeries,
  measureRowsOfRuns,
  measureRunTexts,
  measureSeries,
  mostBytesOfSeries,
} from '#src/store/database/measureRows.ts';
import { type EventPage, listRunEvents, measureRunEvents, type RunEventRecord } from '#src/store/reports/runEvent.ts';
import { listMessagesOfAlerts, type MessageRecord } from '#src/store/outgoing/messageRecord.ts';
import { listQueuePauses, type QueuePauseRecord } from '#src/store/queue/queuePause.ts';
import { listRunInputs, type RunInputRecord } from '#src/store/runs/runInput.ts';
import { listRunTexts, type RunTexts } from '#src/store/runs/runTexts.ts';
import { findRunsById, listForks, listRunsOfWorkers, type RunRecord } from '#src/store/runs/runRecord.ts';
import {
  listMetricDefinitions,
  meansOfSeries,
  type SeriesName,
  type MetricDefinitionRecord,
} from '#src/store/reports/metricDefinition.ts';
import { listSeriesColumns, listSeriesNames, type SeriesColumns } from '#src/store/reports/metricSeries.ts';
import { findSweeps, type SweepRecord } from '#src/store/sweeps/sweepRecord.ts';
import { listRunsOfTrials } from '#src/store/sweeps/sweepTrial.ts';
import { selectWorkers, type WorkerRecord } from '#src/store/records/workerRecord.ts';
import { type AnswerBudget, createAnswerBudget, historyBytes } from '../limits/answerBudget.ts';
import { groupLoader, groupLoaderWith } from './groupLoader.ts';
import { createMediaLoaders, type MediaLoaders } from './mediaLoaders.ts';
import { createRegistryLoaders, type RegistryLoaders } from './registryLoaders.ts';

/** Which points of the metrics of a run are asked for. */
export interface HistoryRange {
  /** All when null. */
  names: readonly string[] | null;
  maxPoints: number;
}

/** One query for all objects of a request that need the same thing, however many ask. */
export interface Loaders extends MediaLoaders {
  /** What a worker executes now. */
  workerRuns: DataLoader<string, RunRecord[]>;
  run: DataLoader<string, RunRecord | null>;
  /** The runs that branched off from one. */
  forks: DataLoader<string, RunRecord[]>;
  project: DataLoader<string, ProjectRecord | null>;
  alertRule: DataLoader<string, RuleRecord | null>;
  /** The messages that tell of an alert. */
  alertMessages: DataLoader<string, (MessageRecord & { alertId: string })[]>;
  runCount: DataLoader<string, number>;
  configuration: DataLoader<string, ConfigurationRecord | null>;
  worker: DataLoader<string, WorkerRecord | null>;
  attempts: DataLoader<string, AttemptRecord[]>;
  artifacts: DataLoader<string, ArtifactRecord[]>;
  /** What the program of a run said of its metrics. */
  metricDefinitions: DataLoader<string, MetricDefinitionRecord[]>;
  /** What is declared of a metric, looked up once for all runs that have it. */
  declaredMetric(name: string): MetricInfo | null;
  /** The mean of a series; undefined where it has no finite value. */
  seriesMean: DataLoader<SeriesName, number | undefined, string>;
  /** A page of the events of a run. */
  events: { load(runId: string, page: EventPage): Promise<RunEventRecord[]> };
  inputs: DataLoader<string, RunInputRecord[]>;
  /** The series of a run: all, or those of these names; one element, or none where it has no series. */
  series: { load(runId: string, names: readonly string[] | null): Promise<SeriesColumns[]> };
  /** Names of the series of a run, as far as they are looked through for the one that tells most. */
  seriesNames: DataLoader<string, readonly string[]>;
  /** How it goes with the runs of a project, ends counted since a time in milliseconds; null without runs. */
  activity: { load(projectId: string, sinceMs: number): Promise<ProjectActivity[]> };
  /** Notes, environment and stack of a run. */
  texts: DataLoader<string, RunTexts | null>;
  /** What else the answer may hold; everything above that may be large counts. */
  budget: AnswerBudget;
  /** The points of a run in columns. */
  history: { load(runId: string, range: HistoryRange): Promise<MetricColumns[]> };
  nextLogLine: DataLoader<string, number>;
  /** The last lines of a run, so many at most. */
  logTail: { load(runId: string, first: number): Promise<LastLogLine[]> };
  sweep: DataLoader<string, SweepRecord | null>;
  /** A sweep with its trials. */
  sweepView: { load(sweep: SweepRecord): Promise<SweepView> };
  trialRuns: { load(trial: { sweepId: string; number: number }): Promise<RunRecord[]> };
  /** Of registered models and datasets. */
  registry: RegistryLoaders;
  /** What is paused. */
  queuePauses(): Promise<readonly QueuePauseRecord[]>;
  /** Workers that are alive. */
  workersAlive(): Promise<readonly WorkerRecord[]>;
  /** What workers that are alive can read; null when one does not say. */
  datasetsOfWorkers(): Promise<ReadonlySet<string> | null>;
}

/** A loader of single rows by key; null where there is none. */
function rowLoader<Row>(keyOf: (row: Row) => string, find: (keys: string[]) => Promise<Row[]>) {
  return new DataLoader<string, Row | null>(async (keys) => {
    const rows = new Map((await find([...keys])).map((row) => [keyOf(row), row]));
    return keys.map((key) => rows.get(key) ?? null);
  });
}

const ownerOf = (row: { runId: string }): string => row.runId;

export function createLoaders(db: Database): Loaders {
  let datasets: Promise<ReadonlySet<string> | null> | undefined;
  let workers: Promise<readonly WorkerRecord[]> | undefined;
  let pauses: Promise<readonly QueuePauseRecord[]> | undefined;
  const declared = new Map<string, MetricInfo | null>();
  const budget = createAnswerBudget();
  return {
    budget,
    run: rowLoader(
      (run) => run.id,
      (ids) => findRunsById(db, ids),
    ),
    forks: groupLoader(
      (run) => run.forkedFromId ?? '',
      (ids) => listForks(db, ids),
    ),
    project: rowLoader(
      (project) => project.id,
      (ids) => findProjects(db, ids),
    ),
    alertRule: rowLoader(
      (rule) => rule.id,
      (ids) => findRules(db, ids),
    ),
    alertMessages: groupLoader(
      (message) => message.alertId,
      (ids) => listMessagesOfAlerts(db, ids),
    ),
    runCount: new DataLoader(async (ids) => {
      const counts = await countRunsByProject(db, ids);
      return ids.map((id) => counts.get(id) ?? 0);
    }),
    configuration: rowLoader(
      (configuration) => configuration.hash,
      (hashes) =>
        budget.readWithin(async (left) => {
          const { configurations, bytes } = await findConfigurationsWithin(db, hashes, left);
          return { result: configurations, bytes };
        }),
    ),
    worker: rowLoader(
      (worker) => worker.id,
      (ids) => selectWorkers(db, { includeStopped: true, ids }),
    ),
    workerRuns: groupLoader(
      (run) => run.workerId ?? '',
      (ids) => listRunsOfWorkers(db, ids),
    ),
    attempts: groupLoader(ownerOf, (ids) =>
      budget.readRows({
        measure: () => measureRowsOfRuns(db, 'attempt', ids),
        list: () => listAttempts(db, ids),
      }),
    ),
    artifacts: groupLoader(ownerOf, (ids) =>
      budget.readRows({
        measure: () => measureRowsOfRuns(db, 'artifact', ids),
        list: () => listArtifacts(db, ids),
      }),
    ),
    metricDefinitions: groupLoader(ownerOf, (ids) => listMetricDefinitions(db, ids)),
    declaredMetric(name) {
      const known = declared.get(name);
      if (known !== undefined) return known;
      const found = declaredMetric(name);
      declared.set(name, found);
      return found;
    },
    seriesMean: new DataLoader((series) => meansOfSeries(db, series), {
      cacheKeyFn: ({ runId, name }) => `${runId} ${name}`,
    }),
    ...createMediaLoaders(db, budget),
    events: groupLoaderWith(ownerOf, (ids, page: EventPage) =>
      budget.readRows({
        measure: () => measureRunEvents(db, ids, page),
        list: () => listRunEvents(db, ids, page),
      }),
    ),
    inputs: groupLoader(ownerOf, (ids) => listRunInputs(db, ids)),
    series: groupLoaderWith(ownerOf, (ids, names: readonly string[] | null) =>
      budget.readWithin(async (left) => {
        // a few metrics of a page always fit: they need no measuring
        const bytes = mostBytesOfSeries(ids.length, names) <= left ? 0 : await measureSeries(db, ids, names);
        if (bytes > left) return { result: [], bytes };
        const result = await listSeriesColumns(db, ids, names);
        return { result, bytes: result.reduce((sum, columns) => sum + bytesOfSeries(columns.names), 0) };
      }),
    ),
    history: groupLoaderWith(ownerOf, (runIds, range: HistoryRange) =>
      budget.read(async () => {
        const series = await metricHistory({ db }, { runIds, ...range });
        return { result: series, bytes: historyBytes(series) };
      }),
    ),
    seriesNames: new DataLoader(async (ids) => {
      const names = await listSeriesNames(db, ids);
      return ids.map((id) => names.get(id) ?? []);
    }),
    activity: groupLoaderWith(
      ({ projectId }) => projectId,
      (ids, sinceMs: number) => listProjectActivity(db, ids, new Date(sinceMs)),
    ),
    texts: rowLoader(ownerOf, (ids) =>
      budget.readRows({
        measure: () => measureRunTexts(db, ids),
        list: () => listRunTexts(db, ids),
      }),
    ),
    nextLogLine: new DataLoader(async (ids) => {
      const next = await nextLogLines(db, ids);
      return ids.map((id) => next.get(id) ?? 0);
    }),
    logTail: groupLoaderWith(ownerOf, (ids, first: number) =>
      budget.readWithin(async (mostBytes) => {
        const { lines, bytes } = await listLastLogLines(db, ids, { first, mostBytes });
        return { result: lines, bytes };
      }),
    ),
    queuePauses() {
      pauses ??= listQueuePauses(db);
      return pauses;
    },
    workersAlive() {
      workers ??= selectWorkers(db, { includeStopped: false });
      return workers;
    },
    sweep: rowLoader(
      (sweep) => sweep.id,
      (ids) => findSweeps(db, ids),
    ),
    sweepView: sweepViewLoader(db, budget),
    trialRuns: trialRunsLoader(db),
    registry: createRegistryLoaders(db, budget),
    datasetsOfWorkers() {
      datasets ??= datasetsOfWorkers({ db });
      return datasets;
    },
  };
}

/** What a trial takes in an answer or in memory, beside its point. */
const TRIAL_BYTES = 200;

/** Reads a sweep's trials once, however many of its fields are asked for. */
function sweepViewLoader(db: Database, budget: AnswerBudget): Loaders['sweepView'] {
  const views = new Map<string, Promise<SweepView>>();
  return {
    load(sweep) {
      const known = views.get(sweep.id);
      if (known !== undefined) return known;
      const view = budget.read(async () => {
        const result = await readSweep(db, sweep);
        return { result, bytes: result.trials.length * TRIAL_BYTES };
      });
      views.set(sweep.id, view);
      return view;
    },
  };
}

function trialRunsLoader(db: Database): Loaders['trialRuns'] {
  const ofSweeps = new Map<string, DataLoader<number, RunRecord[]>>();
  return {
    load({ sweepId, number }) {
      const known = ofSweeps.get(sweepId);
      if (known !== undefined) return known.load(number);
      const loader = new DataLoader<number, RunRecord[]>(async (trials) => {
        const runs = await listRunsOfTrials(db, sweepId, trials);
        return trials.map((trial) => runs.filter((run) => run.sweepTrial === trial));
      });
      ofSweeps.set(sweepId, loader);
      return loader.load(number);
    },
  };
}
