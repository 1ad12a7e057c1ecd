import DataLoader from 'dataloader';
import type { Database } from '#src/base/platform/postgres/database.ts';
import { type ArtifactRecord, listArtifacts } from '#src/artifacts/store/artifactRecord.ts';
import { type AttemptRecord, listAttempts } from '#src/runs/store/attemptRecord.ts';
import { type ConfigurationRecord, findConfigurationsWithin } from '#src/runs/store/configurationRecord.ts';
import { type LastLogLine, listLastLogLines, nextLogLines } from '#src/logs/store/logLines.ts';
import { measureRowsOfRuns, measureRunTexts } from '#src/base/database/measureRows.ts';
import { type EventPage, listRunEvents, measureRunEvents, type RunEventRecord } from '#src/runs/store/runEvent.ts';
import { listRunInputs, type RunInputRecord } from '#src/runs/store/runInput.ts';
import { listRunTexts, type RunTexts } from '#src/runs/store/runTexts.ts';
import { findRunsById, listForks, listRunsOfWorkers, type RunRecord } from '#src/runs/store/runRecord.ts';
import type { AnswerBudget } from '#src/base/graphql/answerBudget.ts';
import { byRun, groupLoader, groupLoaderWith } from '#src/base/graphql/groupLoader.ts';
import { rowLoader } from '#src/base/graphql/rowLoader.ts';

/** As `Loaders`, for what belongs to runs. */
export interface RunLoaders {
  run: DataLoader<string, RunRecord | null>;
  /** The runs that branched off from one. */
  forks: DataLoader<string, RunRecord[]>;
  /** What a worker executes now. */
  workerRuns: DataLoader<string, RunRecord[]>;
  configuration: DataLoader<string, ConfigurationRecord | null>;
  attempts: DataLoader<string, AttemptRecord[]>;
  inputs: DataLoader<string, RunInputRecord[]>;
  artifacts: DataLoader<string, ArtifactRecord[]>;
  /** Notes, environment and stack of a run. */
  texts: DataLoader<string, RunTexts | null>;
  /** A page of the events of a run. */
  events: { load(runId: string, page: EventPage): Promise<RunEventRecord[]> };
  nextLogLine: DataLoader<string, number>;
  /** The last lines of a run, so many at most. */
  logTail: { load(runId: string, first: number): Promise<LastLogLine[]> };
}

export function createRunLoaders(db: Database, budget: AnswerBudget): RunLoaders {
  return {
    run: rowLoader(
      (run) => run.id,
      (ids) => findRunsById(db, ids),
    ),
    forks: groupLoader(
      (run) => run.forkedFromId ?? '',
      (ids) => listForks(db, ids),
    ),
    workerRuns: groupLoader(
      (run) => run.workerId ?? '',
      (ids) => listRunsOfWorkers(db, ids),
    ),
    configuration: rowLoader(
      (configuration) => configuration.hash,
      (hashes) =>
        budget.readWithin(async (left) => {
          const { configurations, bytes } = await findConfigurationsWithin(db, hashes, left);
          return { result: configurations, bytes };
        }),
    ),
    attempts: groupLoader(byRun, (ids) =>
      budget.readRows({
        measure: () => measureRowsOfRuns(db, 'attempt', ids),
        list: () => listAttempts(db, ids),
      }),
    ),
    inputs: groupLoader(byRun, (ids) => listRunInputs(db, ids)),
    artifacts: groupLoader(byRun, (ids) =>
      budget.readRows({
        measure: () => measureRowsOfRuns(db, 'artifact', ids),
        list: () => listArtifacts(db, ids),
      }),
    ),
    texts: rowLoader(byRun, (ids) =>
      budget.readRows({
        measure: () => measureRunTexts(db, ids),
        list: () => listRunTexts(db, ids),
      }),
    ),
    events: groupLoaderWith(byRun, (ids, page: EventPage) =>
      budget.readRows({
        measure: () => measureRunEvents(db, ids, page),
        list: () => listRunEvents(db, ids, page),
      }),
    ),
    nextLogLine: new DataLoader(async (ids) => {
      const next = await nextLogLines(db, ids);
      return ids.map((id) => next.get(id) ?? 0);
    }),
    logTail: groupLoaderWith(byRun, (ids, first: number) =>
      budget.readWithin(async (mostBytes) => {
        const { lines, bytes } = await listLastLogLines(db, ids, { first, mostBytes });
        return { result: lines, bytes };
      }),
    ),
  };
}
