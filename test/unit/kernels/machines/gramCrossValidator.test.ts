import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stratifiedFolds } from '#workers/data/split/stratifiedFolds.ts';
import { gramCrossValidator, type ValidationPlan } from '#workers/kernels/machines/gramCrossValidator.ts';
import { NumericThreads } from '#workers/wasm/threads/numericThreads.ts';
import type { KernelMatrix } from '#workers/kernels/recurrent/kernelMatrix.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { kernelsAreBuilt } from '#workers/wasm/calls/kernelModule.ts';
import { ParallelKernels } from '#workers/wasm/calls/parallelKernels.ts';
import { TensorHeap } from '#workers/wasm/memory/tensorHeap.ts';

const built = kernelsAreBuilt();
if (!built && process.env.CI === 'true') throw new Error('dist/kernels.wasm is not built');
if (!built) console.warn('skipped: dist/kernels.wasm is not built (npm run build)');

/** RBF kernel of random points in the plane, and classes of unequal sizes that their places tell badly. */
function examples(count: number, classes: number): { gram: KernelMatrix; labels: Uint32Array } {
  const generator = randomGenerator(5, `validator ${count} ${classes}`);
  const points = Array.from({ length: count }, () => [generator.normal(), generator.normal()] as const);
  const values = new Float64Array(count * count);
  for (const [i, x] of points.entries()) {
    for (const [j, y] of points.entries()) {
      values[i * count + j] = 3 * Math.exp(-((x[0] - y[0]) ** 2) - (x[1] - y[1]) ** 2);
    }
  }
  const labels = Uint32Array.from(points, ([x, y]) => {
    const place = Math.abs(x + y + 0.4 * generator.normal());
    return Math.min(classes - 1, Math.floor(place * 1.5));
  });
  return { gram: { rows: count, columns: count, values }, labels };
}

function planOf(labels: Uint32Array, folds: number): ValidationPlan {
  const assignments = [0, 1].map((assignment) => stratifiedFolds(labels, folds, randomGenerator(assignment, 'folds')));
  return { labels, assignments, costs: [0.01, 1, 10, 1000], tolerance: 1e-7, maximumSteps: 1e6, pulse() {} };
}

describe.runIf(built)('compiled cross-validation', () => {
  let engine: NumericThreads | null = null;
  beforeAll(async () => {
    engine = await NumericThreads.openIfBuilt(2);
  });
  afterAll(async () => engine?.close());

  test.each([
    [40, 2, 5],
    [41, 2, 10],
    [60, 4, 7],
    [90, 6, 10],
    [12, 5, 3],
  ])(
    '%i examples of up to %i classes in %i folds: the counts of the reference implementation',
    (count, classes, folds) => {
      const { gram, labels } = examples(count, classes);
      const plan = planOf(labels, folds);
      const expected = gramCrossValidator(null, plan).validate(gram);
      const validator = gramCrossValidator(engine, plan);
      expect(validator.validate(gram)).toEqual(expected);
      const doubled = { ...gram, values: gram.values.map((value) => 2 * value) };
      expect(validator.validate(doubled)).toEqual(gramCrossValidator(null, plan).validate(doubled));
      validator.release();
      expect(engine?.heap.bytesInUse).toBe(0);
    },
  );

  test('classes with one example, and a single class, are counted as the reference implementation does', () => {
    const { gram } = examples(9, 2);
    for (const labels of [Uint32Array.of(0, 0, 0, 1, 0, 0, 2, 0, 0), new Uint32Array(9)]) {
      const plan = planOf(labels, 3);
      const validator = gramCrossValidator(engine, plan);
      expect(validator.validate(gram)).toEqual(gramCrossValidator(null, plan).validate(gram));
      validator.release();
    }
  });

  test('lanes that a small memory has no scratch for stand by', async () => {
    const { gram, labels } = examples(41, 3);
    const heap = new TensorHeap(2 ** 20);
    const small = new NumericThreads(heap, await ParallelKernels.start(heap.memory, 3));
    try {
      const validator = gramCrossValidator(small, planOf(labels, 5));
      expect(validator.validate(gram)).toEqual(gramCrossValidator(null, planOf(labels, 5)).validate(gram));
      expect(() => gramCrossValidator(small, planOf(examples(400, 2).labels, 5))).toThrow(
        expect.objectContaining({ code: 'OUT_OF_MEMORY' }),
      );
    } finally {
      await small.close();
    }
  });

  test('problems at the limit of steps are counted as given up', () => {
    const { gram, labels } = examples(40, 2);
    const validator = gramCrossValidator(engine, { ...planOf(labels, 5), maximumSteps: 1 });
    expect(validator.validate(gram).givenUp).toBeGreaterThan(10);
    validator.release();
  });

  test('ends when the pulse throws', () => {
    const { gram, labels } = examples(40, 2);
    const pulse = () => {
      throw new Error('cancelled');
    };
    for (const by of [engine, null]) {
      const validator = gramCrossValidator(by, { ...planOf(labels, 5), pulse });
      expect(() => validator.validate(gram)).toThrow('cancelled');
      validator.release();
    }
  });
});
