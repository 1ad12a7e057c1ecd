import DataLoader from 'dataloader';
import type { Database } from '#src/base/platform/postgres/database.ts';
import { datasetsOfWorkers } from '#src/fleet/missingDataset.ts';
import { findRules, type RuleRecord } from '#src/alerts/store/ruleRecord.ts';
import { listProjectActivity, type ProjectActivity } from '#src/projects/store/projectActivity.ts';
import { countRunsByProject, findProjects, type ProjectRecord } from '#src/projects/store/projectRecord.ts';
import { listMessagesOfAlerts, type MessageRecord } from '#src/outgoing/store/messageRecord.ts';
import { listQueuePauses, type QueuePauseRecord } from '#src/queue/store/queuePause.ts';
import { selectWorkers, type WorkerRecord } from '#src/fleet/store/workerRecord.ts';
import { type AnswerBudget, createAnswerBudget } from '#src/base/graphql/answerBudget.ts';
import { groupLoader, groupLoaderWith } from '#src/base/graphql/groupLoader.ts';
import { createMediaLoaders, type MediaLoaders } from '#src/media/api/mediaLoaders.ts';
import { createMetricLoaders, type MetricLoaders } from '#src/metrics/api/metricLoaders.ts';
import { createRegistryLoaders, type RegistryLoaders } from '#src/registry/api/registryLoaders.ts';
import { rowLoader } from '#src/base/graphql/rowLoader.ts';
import { createRunLoaders, type RunLoaders } from '#src/runs/api/runLoaders.ts';
import { createSweepLoaders, type SweepLoaders } from '#src/sweeps/api/sweepLoaders.ts';

/** One query for all objects of a request that need the same thing, however many ask. */
export interface Loaders extends RunLoaders, MetricLoaders, MediaLoaders, SweepLoaders {
  project: DataLoader<string, ProjectRecord | null>;
  alertRule: DataLoader<string, RuleRecord | null>;
  /** The messages that tell of an alert. */
  alertMessages: DataLoader<string, (MessageRecord & { alertId: string })[]>;
  runCount: DataLoader<string, number>;
  worker: DataLoader<string, WorkerRecord | null>;
  /** How it goes with the runs of a project, ends counted since a time in milliseconds; null without runs. */
  activity: { load(projectId: string, sinceMs: number): Promise<ProjectActivity[]> };
  /** What else the answer may hold; everything that may be large counts. */
  budget: AnswerBudget;
  /** Of registered models and datasets. */
  registry: RegistryLoaders;
  /** What is paused. */
  queuePauses(): Promise<readonly QueuePauseRecord[]>;
  /** Workers that are alive. */
  workersAlive(): Promise<readonly WorkerRecord[]>;
  /** What workers that are alive can read; null when one does not say. */
  datasetsOfWorkers(): Promise<ReadonlySet<string> | null>;
}

export function createLoaders(db: Database): Loaders {
  let datasets: Promise<ReadonlySet<string> | null> | undefined;
  let workers: Promise<readonly WorkerRecord[]> | undefined;
  let pauses: Promise<readonly QueuePauseRecord[]> | undefined;
  const budget = createAnswerBudget();
  return {
    budget,
    ...createRunLoaders(db, budget),
    ...createMetricLoaders(db, budget),
    ...createMediaLoaders(db, budget),
    ...createSweepLoaders(db, budget),
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
    worker: rowLoader(
      (worker) => worker.id,
      (ids) => selectWorkers(db, { includeStopped: true, ids }),
    ),
    activity: groupLoaderWith(
      ({ projectId }) => projectId,
      (ids, sinceMs: number) => listProjectActivity(db, ids, new Date(sinceMs)),
    ),
    queuePauses() {
      pauses ??= listQueuePauses(db);
      return pauses;
    },
    workersAlive() {
      workers ??= selectWorkers(db, { includeStopped: false });
      return workers;
    },
    registry: createRegistryLoaders(db, budget),
    datasetsOfWorkers() {
      datasets ??= datasetsOfWorkers({ db });
      return datasets;
    },
  };
}
