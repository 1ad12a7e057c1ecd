import { expect, test } from 'vitest';
import { curveQuestions } from '#web/features/metrics/curveQuestions.ts';

test('metrics that lack the same runs are asked for together, others apart', () => {
  const questions = curveQuestions(
    [
      { name: 'loss', runIds: ['a', 'b'] },
      { name: 'accuracy', runIds: ['a', 'b'] },
      { name: 'late', runIds: ['b'] },
      { name: 'known', runIds: [] },
    ],
    500,
  );
  expect(questions).toEqual([
    { runIds: ['a', 'b'], names: ['loss', 'accuracy'] },
    { runIds: ['b'], names: ['late'] },
  ]);
});

test('an answer that would be too large is asked for in parts', () => {
  const runIds = Array.from({ length: 80 }, (_, index) => `run ${index}`);
  const names = ['a', 'b', 'c', 'd', 'e'];
  const questions = curveQuestions(
    names.map((name) => ({ name, runIds })),
    500,
  );
  expect(questions.map((question) => question.names)).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
});
