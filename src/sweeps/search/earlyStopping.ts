import { z } from 'zod';
import { assertNever } from '#src/base/lib/assertNever.ts';
import { lossOf } from './trialHistory.ts';

/**
 * Rules by which trials are stopped before their end. An iteration is one value of the metric, as in W&B: a metric that is
 * measured every five epochs has its second iteration at the tenth.
 *
 * `asha`: asynchronous successive halving (L. Li et al., A System for Massively Parallel Hyperparameter Tuning, MLSys 2020,
 * algorithm 2, with trials that are stopped instead of paused, as Optuna's SuccessiveHalvingPruner has it): at each of a few
 * iterations, the rungs, the best 1/eta of the trials that have come there go on. `median` (D. Golovin et al., Google Vizier,
 * KDD 2017, as Optuna's MedianPruner has it): a trial whose best value is worse than the median of finished trials at the same
 * iteration is stopped.
 */

const metric = {
  /** Which series is looked at. */
  metric: z.string(),
  goal: z.enum(['minimize', 'maximize']),
  /** Which of its values up to an iteration counts there. */
  summary: z.enum(['last', 'best']),
};

/** As it is stored with a sweep. */
export const earlyStoppingSchema = z.discriminatedUnion('rule', [
  z.object({
    rule: z.literal('asha'),
    ...metric,
    /** Iterations at which trials are compared, ascending. */
    rungs: z.array(z.number()),
    eta: z.number(),
    /** Whether only the best floor(n / eta) of n go on, at least one; else one more, which is W&B's threshold. */
    strict: z.boolean(),
  }),
  z.object({
    rule: z.literal('median'),
    ...metric,
    /** The first iteration at which a trial may be stopped. */
    from: z.number(),
    /** Iterations between looks. */
    every: z.number(),
    /**
     * Trials that must have finished, and have come as far, before any is stopped. Optuna's n_startup_trials counts all that
     * have finished, which differs where some are shorter.
     */
    trials: z.number(),
  }),
]);
export type EarlyStopping = z.infer<typeof earlyStoppingSchema>;

/** Trials are compared at so many iterations at most. */
export const MOST_RUNGS = 1_000;

/** The iterations up to and with `last` at which a trial is looked at, ascending. */
export function rungsUpTo(stopping: EarlyStopping, last: number): number[] {
  switch (stopping.rule) {
    case 'asha':
      return stopping.rungs.filter((rung) => rung <= last);
    case 'median': {
      const count = Math.min(MOST_RUNGS, Math.floor((last - stopping.from) / stopping.every) + 1);
      return Array.from({ length: Math.max(0, count) }, (_, index) => stopping.from + index * stopping.every);
    }
    default:
      return assertNever(stopping);
  }
}

/** Where a trial stood at a rung. */
export interface RungValue {
  trial: number;
  iteration: number;
  /** The mean over its runs that have come there; may be NaN or infinite. */
  value: number;
  /** Whether the trial has succeeded by now. */
  finished: boolean;
}

/** What became of a trial at a rung. */
export interface Verdict {
  goesOn: boolean;
  /** For people: `7th of 12, the best 4 go on`. */
  why: string;
}

/**
 * Whether a trial goes on from the rung that it has come to.
 * @param known Values of all trials at that rung, and of the trial at earlier ones; its own may be among them.
 */
export function judge(
  stopping: EarlyStopping,
  own: Pick<RungValue, 'trial' | 'iteration' | 'value'>,
  known: readonly RungValue[],
): Verdict {
  const loss = lossAt(stopping, own.value);
  const others = known.filter(({ trial, iteration }) => trial !== own.trial && iteration === own.iteration);
  switch (stopping.rule) {
    case 'asha': {
      const count = others.length + 1;
      const place = 1 + others.filter(({ value }) => lossAt(stopping, value) < loss).length;
      const share = Math.floor(count / stopping.eta);
      const room = stopping.strict ? Math.max(1, share) : share + 1;
      return { goesOn: place <= room, why: `place ${place} of ${count}, of which the best ${room} go on` };
    }
    case 'median': {
      const finished = others.filter((other) => other.finished).map(({ value }) => lossAt(stopping, value));
      if (finished.length < stopping.trials) return { goesOn: true, why: `${finished.length} trials have finished` };
      const earlier = known.filter(({ trial, iteration }) => trial === own.trial && iteration < own.iteration);
      const best = Math.min(loss, ...earlier.map(({ value }) => lossAt(stopping, value)));
      return { goesOn: best <= median(finished), why: `against the median of ${finished.length} finished trials` };
    }
    default:
      return assertNever(stopping);
  }
}

/** Smaller is better; what is no finite number is the worst. */
function lossAt({ goal }: EarlyStopping, value: number): number {
  const loss = lossOf(value, goal);
  return loss === 'failed' ? Number.POSITIVE_INFINITY : loss;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}
