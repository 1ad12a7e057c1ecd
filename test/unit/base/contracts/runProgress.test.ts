import { expect, it } from 'vitest';
import { tellsProgress } from '#src/base/contracts/runProgress.ts';

it.each([
  ['external', 0, false],
  ['command', 0, false],
  ['external', 0.1, true],
  ['sasrec', 0, true],
])('tells whether the progress of kind %s at %d says something', (kind, progress, expected) => {
  expect(tellsProgress({ progress, configuration: { kind } })).toBe(expected);
});
