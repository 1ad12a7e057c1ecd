import { expect, test } from 'vitest';
import { programFailure } from '#workers/runtime/commands/programFailure.ts';

const facts = { program: 'python', lastLines: [] as string[], endedFor: null, systemLackedMemory: false };
const ended = { code: 1, signal: null, problem: null };

test('a package that the worker lacks is told with what helps', () => {
  const lastLines = ['Traceback', "ModuleNotFoundError: No module named 'torch'"];
  const failure = programFailure({ ...facts, exit: ended, lastLines });
  expect(failure?.message).toBe(
    "the program ended with exit code 1: ModuleNotFoundError: No module named 'torch'; if it is installed elsewhere, start the worker in that environment, name its python by its path, or use --environment auto",
  );
  expect(programFailure({ ...facts, exit: ended, lastLines: ['ValueError: bad'] })?.message).toBe(
    'the program ended with exit code 1: ValueError: bad',
  );
});
