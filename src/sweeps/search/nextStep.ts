import { AGENTS_KIND, type SweepDefinition } from './sweepDefinition.ts';
import { bestTrial, type Trial } from './trialState.ts';

/** What the controller of a running sweep is to do now. */
export type NextStep =
  | { do: 'draw'; trials: number }
  /** With the reason why no more trials are drawn, where that is so. */
  | { do: 'wait'; ending: string | null }
  | { do: 'finish'; reason: string }
  | { do: 'pause'; reason: string };

/** When so many trials in a row failed, and none before them did not, something is wrong with the sweep itself. */
const HOPELESS = 10;

export interface SweepProgress {
  definition: SweepDefinition;
  /** All that were drawn. */
  trials: readonly Trial[];
  /** Points that there are; null where there is no end. */
  points: number | null;
  /** Trials before this number do not make the sweep hopeless: a person has seen them and resumed it. */
  hopefulFrom: number;
  /** Hours since it was created. */
  ageHours: number;
}

/** Decides from the sweep's definition and trials alone. */
export function nextStep({ definition, trials, points, hopefulFrom, ageHours }: SweepProgress): NextStep {
  const open = trials.filter(({ state }) => state === 'RUNNING').length;
  const ending = whyToEnd(definition, { trials, points, ageHours });
  if (ending !== null) return open > 0 ? { do: 'wait', ending } : { do: 'finish', reason: ending };
  const hopeless = whyHopeless(trials.filter(({ number }) => number >= hopefulFrom));
  if (hopeless !== null) return { do: 'pause', reason: hopeless };
  const left = Math.min(definition.budget.trials ?? Infinity, points ?? Infinity) - trials.length;
  // agents take a trial when they are ready for one
  const room = definition.kind === AGENTS_KIND ? left : Math.min(definition.concurrency - open, left);
  return room > 0 ? { do: 'draw', trials: room } : { do: 'wait', ending: null };
}

/** Why no more trials are drawn, in words; null where more are to come. */
function whyToEnd(
  { budget, metric }: SweepDefinition,
  { trials, points, ageHours }: Pick<SweepProgress, 'trials' | 'points' | 'ageHours'>,
): string | null {
  if (budget.trials !== null && trials.length >= budget.trials) return `all ${budget.trials} trials were drawn`;
  if (points !== null && trials.length >= points) return `the grid has no more than ${points} points`;
  if (budget.epochs !== null && trials.reduce((sum, { epochs }) => sum + epochs, 0) >= budget.epochs) {
    return `its ${budget.epochs} epochs are trained`;
  }
  if (budget.hours !== null && ageHours >= budget.hours) return `its ${budget.hours} hours are over`;
  if (metric === null) return null;
  const best = bestTrial(trials, metric.goal);
  if (best?.objective == null) return null;
  const { target } = metric;
  if (target !== null && (metric.goal === 'minimize' ? best.objective <= target : best.objective >= target)) {
    return `trial ${best.number} reached the target ${target}`;
  }
  const since = trials.filter(({ number, state }) => number > best.number && state !== 'RUNNING').length;
  const patience = budget.untilNothingBetterIn;
  return patience !== null && since >= patience ? `nothing better than trial ${best.number} in ${since} trials` : null;
}

function whyHopeless(trials: readonly Trial[]): string | null {
  const ended = trials.filter(({ state }) => state !== 'RUNNING' && state !== 'CANCELLED');
  if (ended.length < HOPELESS || ended.some(({ state }) => state !== 'FAILED')) return null;
  const error = ended.findLast((trial) => trial.error !== null)?.error;
  return `${ended.length} trials failed, and none succeeded${error == null ? '' : `; the last: ${error}`}`;
}
