import { expect, test } from 'vitest';
import { shortMessage } from '#workers/runtime/worker/databaseFailure.ts';

test.each([
  [new Error('one line'), 'one line'],
  [new Error('\nInvalid call:\n\n\nthe point\n'), 'the point'],
  [new TypeError(''), 'TypeError'],
])('%j in one line', (error, line) => {
  expect(shortMessage(error)).toBe(line);
});
