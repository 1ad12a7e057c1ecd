import { z } from 'zod';
import { WarrenError } from '#src/base/contracts/errors.ts';
import { gramCrossValidator, type ValidationPlan } from '#workers/kernels/machines/gramCrossValidator.ts';
import type { NumericThreads } from '#workers/wasm/threads/numericThreads.ts';
import type { KernelMatrix } from '#workers/kernels/recurrent/kernelMatrix.ts';
import type { GramSource, Hyperparameters } from './kernelGrid.ts';

/** Counts of the first points of a grid: what a checkpoint keeps, and from which a grid goes on. */
export const gridProgress = z.object({
  /** Points that are done. */
  points: z.int().min(0),
  /** (assignments, points done × costs) Held-out examples predicted right. */
  correct: z.array(z.array(z.int().min(0))),
  /** Two-class problems that the solver gave up so far. */
  givenUp: z.int().min(0),
  /** Seconds spent so far on kernel matrices, and on machines. */
  seconds: z.object({ gram: z.number(), select: z.number() }),
});
export type GridProgress = z.output<typeof gridProgress>;

export interface GridValidation {
  /** (assignments, points × costs) Held-out examples predicted right. */
  correct: Uint32Array[];
  /** Two-class problems that the solver gave up, of all. */
  givenUp: number;
  /** Seconds spent on kernel matrices, and on machines, in earlier attempts too. */
  seconds: { gram: number; select: number };
}

export interface GridPlan extends ValidationPlan {
  engine: NumericThreads | null;
  /** Counts of an earlier attempt; those that do not fit are not used. */
  done: GridProgress | null;
  /** Called after each point with how many are done. */
  afterPoint(done: number): void;
  /** Called now and then with the counts so far, for a checkpoint. */
  keep(progress: GridProgress): void;
}

/** What a killed run loses at most, beside the point in work. */
const SECONDS_BETWEEN_CHECKPOINTS = 20;

/**
 * Cross-validates a C-SVM at every point of a grid and every cost (RNTK A.1). Each kernel matrix is computed once for all
 * costs, folds and assignments of the folds; points do not depend on each other, so that a grid goes on where it was left.
 * Throws RUN_FAILED for a kernel that overflows.
 */
export function validateGrid(source: GramSource, points: readonly Hyperparameters[], plan: GridPlan): GridValidation {
  const { costs, assignments } = plan;
  const correct = assignments.map(() => new Uint32Array(points.length * costs.length));
  const done = plan.done !== null && fits(plan.done, points.length, plan) ? plan.done : null;
  const seconds = { gram: 0, select: 0, ...done?.seconds };
  for (const [assignment, counts] of done?.correct.entries() ?? []) correct[assignment]!.set(counts);
  let givenUp = done?.givenUp ?? 0;
  let kept = performance.now();
  const validator = gramCrossValidator(plan.engine, plan);
  try {
    for (let p = done?.points ?? 0; p < points.length; p++) {
      const started = performance.now();
      const gram = source.gram(points[p]!);
      checkFinite(gram, points[p]!);
      const validating = performance.now();
      const found = validator.validate(gram);
      for (const [assignment, counts] of found.correct.entries()) correct[assignment]!.set(counts, p * costs.length);
      givenUp += found.givenUp;
      seconds.gram += (validating - started) / 1000;
      seconds.select += (performance.now() - validating) / 1000;
      plan.afterPoint(p + 1);
      if (performance.now() - kept < 1000 * SECONDS_BETWEEN_CHECKPOINTS) continue;
      kept = performance.now();
      const count = (p + 1) * costs.length;
      const known = correct.map((counts) => [...counts.subarray(0, count)]);
      plan.keep({ points: p + 1, correct: known, givenUp, seconds: { ...seconds } });
    }
  } finally {
    validator.release();
  }
  return { correct, givenUp, seconds };
}

function fits({ points, correct }: GridProgress, most: number, { costs, assignments }: ValidationPlan): boolean {
  const count = points * costs.length;
  return points <= most && correct.length === assignments.length && correct.every(({ length }) => length === count);
}

function checkFinite({ values }: KernelMatrix, point: Hyperparameters): void {
  if (values.every(Number.isFinite)) return;
  throw new WarrenError(
    'RUN_FAILED',
    `the kernel overflows at ${JSON.stringify(point)}: choose smaller sigmas for series this long`,
    { path: 'parameters' },
  );
}
