import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { tf } from '#workers/tensor/tf.ts';
import { TEST_BACKENDS } from './backends.ts';
import { ELEMENTWISE_CASES, FORWARD_ELEMENTWISE_CASES } from './elementwiseCases.ts';
import { FORWARD_LAYOUT_CASES, LAYOUT_CASES } from './layoutCases.ts';
import { FORWARD_MATRIX_CASES, MATRIX_CASES } from './matrixCases.ts';
import { forwardError, gradientErrors, type OperationCase } from './operationCase.ts';
import { FORWARD_REDUCTION_CASES, REDUCTION_CASES } from './reductionCases.ts';

interface Family {
  family: string;
  both: readonly OperationCase[];
  forward: readonly OperationCase[];
}

const FAMILIES: readonly Family[] = [
  { family: 'elementwise operations', both: ELEMENTWISE_CASES, forward: FORWARD_ELEMENTWISE_CASES },
  { family: 'matrix products', both: MATRIX_CASES, forward: FORWARD_MATRIX_CASES },
  { family: 'reductions', both: REDUCTION_CASES, forward: FORWARD_REDUCTION_CASES },
  { family: 'layouts, gathers and segment sums', both: LAYOUT_CASES, forward: FORWARD_LAYOUT_CASES },
];

/** What went beyond the tolerance, or threw. */
function beyond(
  operation: OperationCase,
  tolerance: number,
  errorsOf: (operation: OperationCase) => number[],
): string[] {
  const allowed = tolerance * Math.sqrt(Math.max(operation.terms ?? 1, 1));
  try {
    return errorsOf(operation).flatMap((error) => (error <= allowed ? [] : [`${operation.name}: error ${error}`]));
  } catch (thrown) {
    return [`${operation.name}: ${String(thrown)}`];
  }
}

describe.each(TEST_BACKENDS)('on $label', ({ tolerance, open }) => {
  let opened: Awaited<ReturnType<typeof open>>;
  let tensors = 0;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened.close());
  beforeEach(() => {
    tensors = tf.memory().numTensors;
  });
  afterEach(() => {
    expect(tf.memory().numTensors).toBe(tensors);
  });

  test.each(FAMILIES)('$family equal their reference implementations', ({ both, forward }) => {
    const failures = [...both, ...forward].flatMap((operation) =>
      beyond(operation, tolerance, (given) => [forwardError(given)]),
    );
    expect(failures).toEqual([]);
  });

  test.each(FAMILIES)('gradients of $family equal differences of their reference implementations', ({ both }) => {
    const failures = both
      .filter((operation) => operation.isDifferentiable !== false)
      .flatMap((operation) => beyond(operation, 4 * tolerance, gradientErrors));
    expect(failures).toEqual([]);
  });
});
