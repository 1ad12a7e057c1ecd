import { expect, it } from 'vitest';
import { studyOutcome } from '#web/features/home/studyOutcome.ts';

it('a study is told by how many of its cells and claims came out how', () => {
  const cells = (['AGREES', 'DIFFERS', 'AGREES', 'NOT_RUN', 'SHORTENED', 'NOT_PRINTED'] as const).map((verdict) => ({
    verdict,
  }));
  const claims = (['CONFIRMED', 'UNDECIDED'] as const).map((verdict) => ({ verdict }));
  expect(studyOutcome({ cells, claims: [] })).toBe('2 agree, 1 differ, 2 open');
  expect(studyOutcome({ cells: [], claims })).toBe('1 confirmed, 1 open');
  expect(studyOutcome({ cells: [{ verdict: 'NOT_RUNNABLE' }], claims: [] })).toBe('');
});
