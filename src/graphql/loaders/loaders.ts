import DataLoader from 'dataloader';
import type { Database } from '../../platform/database.ts';
import { type ArtifactRecord, listArtifacts } from '../../store/artifactRecord.ts';
import { type AttemptRecord, listAttempts } from '../../store/attemptRecord.ts';
import { type ConfigurationRecord, findConfigurations } from '../../store/configurationRecord.ts';
import { countRunsByProject, findProjects, type ProjectRecord } from '../../store/projectRecord.ts';
import { listRunEvents, type RunEventRecord } from '../../store/runEvent.ts';
import { listRunInputs, type RunInputRecord } from '../../store/runInput.ts';
import { listRunsOfWorkers, type RunRecord } from '../../store/runRecord.ts';
import { listSeries, type SeriesRecord } from '../../store/metricSeries.ts';
import { selectWorkers, type WorkerRecord } from '../../store/workerRecord.ts';
import { groupLoader } from './groupLoader.ts';

/** One query for all objects of a request that need the same thing, however many ask. */
export interface Loaders {
  /** What a worker executes now. */
  workerRuns: DataLoader<string, RunRecord[]>;
  project: DataLoader<string, ProjectRecord | null>;
  runCount: DataLoader<string, number>;
  configuration: DataLoader<string, ConfigurationRecord | null>;
  worker: DataLoader<string, WorkerRecord | null>;
  attempts: DataLoader<string, AttemptRecord[]>;
  artifacts: DataLoader<string, ArtifactRecord[]>;
  events: DataLoader<string, RunEventRecord[]>;
  inputs: DataLoader<string, RunInputRecord[]>;
  series: DataLoader<string, SeriesRecord[]>;
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
  return {
    project: rowLoader(
      (project) => project.id,
      (ids) => findProjects(db, ids),
    ),
    runCount: new DataLoader(async (ids) => {
      const counts = await countRunsByProject(db, ids);
      return ids.map((id) => counts.get(id) ?? 0);
    }),
    configuration: rowLoader(
      (configuration) => configuration.hash,
      (hashes) => findConfigurations(db, hashes),
    ),
    worker: rowLoader(
      (worker) => worker.id,
      (ids) => selectWorkers(db, { includeStopped: true, ids }),
    ),
    workerRuns: groupLoader(
      (run) => run.workerId ?? '',
      (ids) => listRunsOfWorkers(db, ids),
    ),
    attempts: groupLoader(ownerOf, (ids) => listAttempts(db, ids)),
    artifacts: groupLoader(ownerOf, (ids) => listArtifacts(db, ids)),
    events: groupLoader(ownerOf, (ids) => listRunEvents(db, ids)),
    inputs: groupLoader(ownerOf, (ids) => listRunInputs(db, ids)),
    series: groupLoader(ownerOf, (ids) => listSeries(db, ids)),
  };
}
