import { effectiveBudget } from '#src/catalog/studies/armConfiguration.ts';
import type { Study, StudyArm, StudyBudget } from '#src/catalog/studies/study.ts';
import type { StudyRun } from '#src/studies/verdicts/armRuns.ts';

/** So many of the newest runs count: earlier ones may be of other machines, as those that came with an archive. */
const NEWEST = 3;

/**
 * About how many minutes a run of an arm takes: the median of its newest finished runs of the same configuration; else what the
 * study says, times the median of how much longer the newest runs of the same kind took than it says of them; else what it says.
 */
export function minutesEstimate(
  study: Study,
  runs: readonly StudyRun[],
): (arm: StudyArm, budget: StudyBudget) => number {
  const told = (arm: StudyArm, budget: StudyBudget) =>
    budget === 'quick' ? (arm.quick?.minutes ?? arm.minutes) : arm.minutes;
  const armOf = new Map(study.arms.map((arm) => [arm.name, arm]));
  const finished = runs
    .filter((run) => run.state === 'SUCCEEDED' && run.seconds !== null)
    .sort((a, b) => Number(b.endedAt) - Number(a.endedAt) || b.number - a.number)
    .map((run) => ({ ...run, minutes: run.seconds! / 60 }));
  return (arm, budget) => {
    const same = finished.filter((run) => run.arm === arm.name && run.budget === effectiveBudget(study, arm, budget));
    if (same.length > 0) return medianOfNewest(same.map(({ minutes }) => minutes));
    const ratios = finished.flatMap((run) => {
      const other = armOf.get(run.arm);
      return other?.kind === arm.kind ? [run.minutes / told(other, run.budget)] : [];
    });
    return told(arm, budget) * (ratios.length === 0 ? 1 : medianOfNewest(ratios));
  };
}

/** @param values The newest first, at least one. */
function medianOfNewest(values: readonly number[]): number {
  const sorted = values.slice(0, NEWEST).sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)]!;
}
