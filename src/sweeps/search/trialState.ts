import { meantOrThere } from '#src/base/lib/nearNames.ts';
import { assertNever } from '#src/base/lib/assertNever.ts';
import type { Point } from './searchSpace.ts';
import { lossOf, type PastTrial, type StoppedEarly } from './trialHistory.ts';

/**
 * What became of a trial. CANCELLED says nothing about its point; FAILED counts as worse than every objective; PRUNED, which
 * was stopped early, stands between these and those that succeeded.
 */
export const TRIAL_STATES = ['RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED', 'PRUNED'] as const;
export type TrialState = (typeof TRIAL_STATES)[number];

/** A trial as the database has it: its draw, and its runs counted by how they ended. */
export interface TrialFacts {
  number: number;
  point: Point;
  /** Why its configuration was refused, so that it has no runs; null where it was not. */
  error: string | null;
  runs: { open: number; succeeded: number; failed: number; cancelled: number; pruned: number };
  /** Runs that are still to be taken by agents: of seeds that have none, or whose last one crashed. 0 where workers execute them. */
  untaken: number;
  /** Runs that succeeded and reported the metric, and their mean; null without any. */
  measured: number;
  mean: number | null;
  /** What a run that succeeded without the metric has reported instead. */
  others?: readonly string[] | null;
  /** Where it was last compared with other trials; null where it was not. */
  rung: Rung | null;
  /** Greatest steps that its runs have logged, added up: epochs, where they train. */
  epochs: number;
}

/** An iteration at which trials are compared, and the metric there: the mean over the runs that came so far. */
export interface Rung {
  iteration: number;
  value: number;
}

export interface Trial {
  number: number;
  point: Point;
  state: TrialState;
  /** The mean of the metric over its runs; null without a metric, and where it did not succeed. */
  objective: number | null;
  /** Why it failed, where its runs do not say so themselves. */
  error: string | null;
  rung: Rung | null;
  epochs: number;
}

/** What became of a trial, from its runs alone, so that a run that is retried later counts as it ends then. */
export function trialOf(facts: TrialFacts, metric: string | null): Trial {
  const { number, point, error, runs, untaken, measured, mean, others, rung, epochs } = facts;
  const trial = (state: TrialState, why: string | null = null): Trial => {
    const objective = state === 'SUCCEEDED' && metric !== null ? mean : null;
    return { number, point, state, objective, error: why, rung, epochs };
  };
  if (error !== null) return trial('FAILED', error);
  if (runs.open + untaken > 0) return trial('RUNNING');
  if (runs.failed > 0) return trial('FAILED');
  // also where all its runs were deleted for good
  if (runs.cancelled > 0 || runs.succeeded + runs.pruned === 0) return trial('CANCELLED');
  if (runs.pruned > 0) return trial('PRUNED');
  if (metric !== null && measured < runs.succeeded) {
    const instead = meantOrThere(metric, others ?? []).trim();
    return trial('FAILED', `it reported no ${metric}${instead === '' ? '' : `. ${instead}`}`);
  }
  return trial('SUCCEEDED');
}

/** Trials as samplers look back on them. */
export function historyOf(trials: readonly Trial[], goal: 'minimize' | 'maximize'): PastTrial[] {
  return trials.flatMap(({ number, point, state, objective, rung }): PastTrial[] => {
    switch (state) {
      case 'RUNNING':
        return [{ number, point, outcome: 'running' }];
      case 'FAILED':
        return [{ number, point, outcome: 'failed' }];
      case 'SUCCEEDED':
        return [{ number, point, outcome: objective === null ? 'failed' : lossOf(objective, goal) }];
      case 'PRUNED':
        return [{ number, point, outcome: rung === null ? 'failed' : stoppedAt(rung, goal) }];
      case 'CANCELLED':
        return [];
      default:
        return assertNever(state);
    }
  });
}

function stoppedAt({ iteration, value }: Rung, goal: 'minimize' | 'maximize'): StoppedEarly {
  return { iteration, loss: lossOf(value, goal) };
}

/** The trial with the best objective, the first of those that share it; null while none has one. */
export function bestTrial(trials: readonly Trial[], goal: 'minimize' | 'maximize'): Trial | null {
  let best: { trial: Trial; loss: number } | null = null;
  for (const trial of trials) {
    const loss = trial.objective === null ? 'failed' : lossOf(trial.objective, goal);
    if (loss === 'failed' || (best !== null && !precedes({ trial, loss }, best))) continue;
    best = { trial, loss };
  }
  return best?.trial ?? null;
}

interface Ranked {
  trial: Trial;
  loss: number;
}

function precedes(a: Ranked, b: Ranked): boolean {
  return a.loss < b.loss || (a.loss === b.loss && a.trial.number < b.trial.number);
}
