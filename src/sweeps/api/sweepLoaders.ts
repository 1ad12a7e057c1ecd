import DataLoader from 'dataloader';
import type { Database } from '#src/base/platform/postgres/database.ts';
import { readSweep, type SweepView } from '#src/sweeps/sweepView.ts';
import type { RunRecord } from '#src/runs/store/runRecord.ts';
import { findSweeps, type SweepRecord } from '#src/sweeps/store/sweepRecord.ts';
import { listRunsOfTrials } from '#src/sweeps/store/sweepTrial.ts';
import type { AnswerBudget } from '#src/base/graphql/answerBudget.ts';
import { rowLoader } from '#src/base/graphql/rowLoader.ts';

/** As `Loaders`, for sweeps and their trials. */
export interface SweepLoaders {
  sweep: DataLoader<string, SweepRecord | null>;
  /** A sweep with its trials. */
  sweepView: { load(sweep: SweepRecord): Promise<SweepView> };
  trialRuns: { load(trial: { sweepId: string; number: number }): Promise<RunRecord[]> };
}

export function createSweepLoaders(db: Database, budget: AnswerBudget): SweepLoaders {
  return {
    sweep: rowLoader(
      (sweep) => sweep.id,
      (ids) => findSweeps(db, ids),
    ),
    sweepView: sweepViewLoader(db, budget),
    trialRuns: trialRunsLoader(db),
  };
}

/** What a trial takes in an answer or in memory, beside its point. */
const TRIAL_BYTES = 200;

/** Reads a sweep's trials once, however many of its fields are asked for. */
function sweepViewLoader(db: Database, budget: AnswerBudget): SweepLoaders['sweepView'] {
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

function trialRunsLoader(db: Database): SweepLoaders['trialRuns'] {
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
