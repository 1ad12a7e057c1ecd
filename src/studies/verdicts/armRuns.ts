import { hasShortForm } from '#src/catalog/studies/armConfiguration.ts';
import type { Study, StudyArm, StudyBudget } from '#src/catalog/studies/study.ts';
import type { RunArithmetic } from '#src/base/contracts/arithmetic.ts';
import { isFinal, type RunState } from '#src/base/contracts/runState.ts';

/** One metric of a run: its value at the greatest step, and its extremes. */
export interface RunMetric {
  last: number;
  lowest: number | null;
  highest: number | null;
}

/** A run of an arm's configuration, as far as a study needs it. */
export interface StudyRun {
  id: string;
  number: number;
  arm: string;
  /** Whose configuration it has; `paper` where both are the same. */
  budget: StudyBudget;
  seed: number;
  state: RunState;
  error: string | null;
  /** Number of the run that it repeats to see whether the same comes out; null for others. */
  auditOf: number | null;
  /** From start to end; null while it has not ended. */
  seconds: number | null;
  endedAt: Date | null;
  /** Version of the code, and the machine, that it was computed by; empty where nobody has told. */
  commit: string;
  machine: string;
  /** How its sums of products were rounded; `plain` also where it has not begun. */
  arithmetic: RunArithmetic;
  metrics: ReadonlyMap<string, RunMetric>;
  /** What it recorded of its data and of ties, by which Compare says whether runs compare. */
  environment: Readonly<Record<string, unknown>>;
}

/** What there is of an arm. */
export interface ArmRuns {
  arm: StudyArm;
  /** Whether `finished` had less than the paper gives. */
  shortened: boolean;
  /** One a seed, the newest, by seed: of the paper's configuration where one has finished, else of the shortened one. */
  finished: readonly StudyRun[];
  /** Under way. */
  open: readonly StudyRun[];
  /** The newest that failed, was cancelled or crashed, where nothing else is there. */
  failed: StudyRun | null;
}

/** What there is of each arm, by its name. Runs that audit others are left out. */
export function armRuns(study: Study, runs: readonly StudyRun[]): Map<string, ArmRuns> {
  return new Map(
    study.arms.map((arm) => {
      const own = runs
        .filter((run) => run.arm === arm.name && run.auditOf === null)
        .sort((a, b) => a.number - b.number);
      const whole = newestBySeed(own.filter(({ budget }) => budget === 'paper'));
      const short = newestBySeed(own.filter(({ budget }) => budget === 'quick'));
      const finished = whole.length > 0 ? whole : short;
      const open = own.filter(({ state }) => !isFinal(state));
      const failed = own.findLast(({ state }) => isFinal(state) && state !== 'SUCCEEDED') ?? null;
      return [
        arm.name,
        {
          arm,
          shortened: arm.lacks !== undefined || (whole.length === 0 && hasShortForm(study, arm)),
          finished,
          open,
          failed: finished.length === 0 && open.length === 0 ? failed : null,
        },
      ];
    }),
  );
}

function newestBySeed(runs: readonly StudyRun[]): StudyRun[] {
  const bySeed = new Map(runs.filter(({ state }) => state === 'SUCCEEDED').map((run) => [run.seed, run]));
  return [...bySeed.values()].sort((a, b) => a.seed - b.seed);
}

/** Why an arm has no finished run; null where it has one. */
export function whyUnfinished({ arm, finished, open, failed }: ArmRuns): string | null {
  if (finished.length > 0) return null;
  if (arm.notRunnable !== undefined) return arm.notRunnable;
  const [first] = open;
  if (first !== undefined) return `run ${first.number} of ${arm.name} is ${first.state.toLowerCase()}`;
  if (failed !== null) return `run ${failed.number} of ${arm.name} ${endOf(failed)}`;
  return `no run of ${arm.name} yet`;
}

function endOf({ state, error }: StudyRun): string {
  if (state === 'CANCELLED') return 'was cancelled';
  if (state === 'PRUNED') return 'was stopped early';
  return `${state === 'CRASHED' ? 'crashed' : 'failed'}${error === null ? '' : `: ${error}`}`;
}
