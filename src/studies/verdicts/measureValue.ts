import type { ArmMetric, CombinedValue } from '#src/catalog/studies/study.ts';
import { invariant } from '#src/base/lib/invariant.ts';
import { type ArmRuns, type StudyRun, whyUnfinished } from './armRuns.ts';

/** A number for each seed. */
export interface Measured {
  bySeed: ReadonlyMap<number, number>;
  /** No part depends on the seed: one value says everything. */
  deterministic: boolean;
  /** Some of its runs had less than the paper gives. */
  shortened: boolean;
  runs: readonly StudyRun[];
}

/** Why there is no number. */
export interface Missing {
  missing: string;
  /** It never can be run, for that reason. */
  forever: boolean;
}

type ArmsByName = ReadonlyMap<string, ArmRuns>;

/** The values of a metric, or of what is computed from several, over the seeds that all of its parts have. */
export function measureValue(value: ArmMetric | CombinedValue, arms: ArmsByName): Measured | Missing {
  const parts = 'parts' in value ? value.parts : [value];
  const combine = 'parts' in value ? value.combine : ([only = Number.NaN]: readonly number[]) => only;
  const measured: Measured[] = [];
  for (const part of parts) {
    const one = ofMetric(part, arms);
    if ('missing' in one) return one;
    measured.push(one);
  }
  const varying = measured.filter(({ deterministic }) => !deterministic);
  const [first] = varying.length > 0 ? varying : measured;
  invariant(first !== undefined, 'a value has no parts');
  const seeds = [...first.bySeed.keys()].filter((seed) => varying.every(({ bySeed }) => bySeed.has(seed)));
  if (seeds.length === 0) return { missing: 'its arms have no seed in common', forever: false };
  const at = ({ deterministic, bySeed }: Measured, seed: number) =>
    (deterministic ? [...bySeed.values()][0] : bySeed.get(seed)) ?? Number.NaN;
  const bySeed = new Map(seeds.map((seed) => [seed, combine(measured.map((one) => at(one, seed)))]));
  const notFinite = [...bySeed].find(([, number]) => !Number.isFinite(number));
  if (notFinite !== undefined) return { missing: `its value with seed ${notFinite[0]} is not finite`, forever: false };
  return {
    bySeed,
    deterministic: varying.length === 0,
    shortened: measured.some(({ shortened }) => shortened),
    runs: [...new Set(measured.flatMap(({ runs }) => runs))],
  };
}

function ofMetric({ arm: name, metric, take = 'last' }: ArmMetric, arms: ArmsByName): Measured | Missing {
  const found = arms.get(name);
  invariant(found !== undefined, `there is no arm ${name}`);
  const why = whyUnfinished(found);
  if (why !== null) return { missing: why, forever: found.arm.notRunnable !== undefined };
  const values = found.finished.flatMap((run) => {
    const value = run.metrics.get(metric)?.[take] ?? null;
    return value === null ? [] : [{ run, value }];
  });
  if (values.length === 0) return { missing: `run ${found.finished[0]!.number} left no ${metric}`, forever: false };
  const deterministic = found.arm.deterministic === true;
  const used = deterministic ? values.slice(-1) : values;
  return {
    bySeed: new Map(used.map(({ run, value }) => [run.seed, value])),
    deterministic,
    shortened: found.shortened,
    runs: used.map(({ run }) => run),
  };
}
