import { expect, it } from 'vitest';
import { failureAdvice, isTrace } from '#src/base/contracts/failureAdvice.ts';

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
  expect(advice("KeyError: 'user_id'")).toMatch(/the last log lines say where/);
  expect(failureAdvice('SUCCEEDED', null)).toBeNull();
});

it('the stack is spoken of where there is one', () => {
  const advice = (stack: string | null) =>
    failureAdvice('FAILED', { code: 'RUN_FAILED', message: 'KeyError: 1', stack });
  const traces = [
    'Traceback (most recent call last):\n  File "train.py", line 3, in <module>\nKeyError: 1',
    'Error: no\n    at train (file:///train.mjs:3:1)',
    'thread main panicked\n   4: 0x55d2f1 - main',
    'Fatal Python error: Segmentation fault\n\nCurrent thread 0x1 (most recent call first):\n  File "train.py", line 3 in main',
  ];
  for (const trace of traces) {
    expect(isTrace(trace), trace).toBe(true);
    expect(advice(trace), trace).toMatch(/and the stack say where/);
  }
  for (const output of ['epoch 3: loss 0.1\nSegmentation fault', 'look at the data', '', null]) {
    expect(isTrace(output), String(output)).toBe(false);
    expect(advice(output), String(output)).not.toMatch(/stack/);
  }
});

it('a program that a signal ended has no stack, and the advice says who may have sent it', () => {
  const advice = (message: string, stack?: string) =>
    failureAdvice('FAILED', { code: 'RUN_FAILED', message, stack: stack ?? null });
  expect(advice('the program was ended by the signal SIGSEGV', 'epoch 3')).toMatch(
    /there is no stack.*PYTHONFAULTHANDLER/,
  );
  expect(advice('the program ended with exit code 139, as of the signal SIGSEGV: core dumped')).toMatch(
    /compiled code/,
  );
  expect(advice('the program was ended by the signal SIGKILL')).toMatch(/from outside.*want of memory/);
});
