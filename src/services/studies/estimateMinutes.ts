import { effectiveBudget } from '#src/catalog/studies/armConfiguration.ts';
import type { Study, StudyArm, StudyBudget } from '#src/catalog/studies/study.ts';
import { summarizeReplicates } from '#src/statistics/replicates.ts';
import type { StudyRun } from '#src/reproductions/armRuns.ts';

/**
 * About how many minutes a run of an arm takes: the mean of its finished runs of the same configuration; else what the study
 * says, times the median of how much longer finished runs of the same kind took than it says of them; else what it says.
 */
export function minutesEstimate(
  study: Study,
  runs: readonly StudyRun[],
): (arm: StudyArm, budget: StudyBudget) => number {
  const told = (arm: StudyArm, budget: StudyBudget) =>
    budget === 'quick' ? (arm.quick?.minutes ?? arm.minutes) : arm.minutes;
  const finished = runs.filter((run) => run.state === 'SUCCEEDED' && run.seconds !== null);
  const armOf = new Map(study.arms.map((arm) => [arm.name, arm]));
  const ratios = finished.flatMap((run) => {
    const arm = armOf.get(run.arm);
    return arm === undefined ? [] : [{ kind: arm.kind, ratio: run.seconds! / 60 / told(arm, run.budget) }];
  });
  return (arm, budget) => {
    const same = finished.filter((run) => run.arm === arm.name && run.budget === effectiveBudget(study, arm, budget));
    if (same.length > 0) return summarizeReplicates(same.map(({ seconds }) => seconds! / 60)).mean;
    const ofKind = ratios.filter(({ kind }) => kind === arm.kind).map(({ ratio }) => ratio);
    return told(arm, budget) * (ofKind.length === 0 ? 1 : median(ofKind));
  };
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)]!;
}
