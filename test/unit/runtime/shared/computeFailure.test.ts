import { describe, expect, test } from 'vitest';
import { badInput, WarrenError } from '#src/base/contracts/errors.ts';
import { computeFailure } from '#workers/runtime/shared/computeFailure.ts';

describe('what an experiment throws', () => {
  test.each([
    [new TypeError('x is not a function'), 'RUN_FAILED', 'x is not a function'],
    [badInput('sigmaW must be positive'), 'BAD_INPUT', 'sigmaW must be positive'],
    [new WarrenError('CANCELLED', 'nobody asked'), 'RUN_FAILED', 'nobody asked'],
    [new RangeError('Array buffer allocation failed'), 'OUT_OF_MEMORY', 'Array buffer allocation failed'],
    [new RangeError('Invalid array length'), 'RUN_FAILED', 'Invalid array length'],
    [Object.assign(new Error('heap'), { code: 'ERR_WORKER_OUT_OF_MEMORY' }), 'OUT_OF_MEMORY', 'heap'],
    ['a string', 'RUN_FAILED', 'a string'],
    [undefined, 'RUN_FAILED', 'undefined'],
    [new Error(''), 'RUN_FAILED', 'Error'],
  ])('%s', (thrown, code, message) => {
    expect(computeFailure(thrown)).toMatchObject({ code, message });
  });
});
