import { expect, it } from 'vitest';
import { failureAdvice } from '#src/contracts/failureAdvice.ts';

it('a program that says that it ran out of memory is told apart from one that is wrong', () => {
  const advice = (message: string) => failureAdvice('FAILED', { code: 'RUN_FAILED', message });
  for (const message of [
    ...[
      'RuntimeError: CUDA out of memory. Tried to allocate 2.44 GiB',
      'MemoryError',
      'RESOURCE_EXHAUSTED: Out of memory',
    ],
    'numpy.core._exceptions._ArrayMemoryError: Unable to allocate 8.00 GiB',
  ]) {
    expect(advice(message), message).toMatch(/smaller batch/);
  }
  expect(advice("KeyError: 'user_id'")).toMatch(/the last log lines and the stack say where/);
  expect(failureAdvice('SUCCEEDED', null)).toBeNull();
});
