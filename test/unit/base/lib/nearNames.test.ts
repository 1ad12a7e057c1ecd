import { expect, test } from 'vitest';
import { didYouMean, editDistance, meantOrThere, nearNames, thereAre } from '#src/base/lib/nearNames.ts';

test.each([
  ['', 'abc', 3],
  ['kitten', 'sitting', 3],
  ['markov', 'markov', 0],
  ['makrov', 'markov', 1],
  ['a', '', 1],
])('from %o to %o it takes %i edits', (a, b, edits) => {
  expect(editDistance(a, b)).toBe(edits);
  expect(editDistance(b, a)).toBe(edits);
});

test('near names come nearest first, far ones not at all', () => {
  const names = ['learningRate', 'regularization', 'epochs', 'earningRate'];
  expect(nearNames('learningrate', names)).toEqual(['learningRate', 'earningRate']);
  expect(nearNames('zzz', names)).toEqual([]);
  expect(nearNames('beauty', ['amazon-beauty', 'ml-1m'])).toEqual(['amazon-beauty']);
});

test('many long names take hardly any time', () => {
  const names = Array.from({ length: 1_000 }, (_, index) => `${'layer/'.repeat(80)}${index}`);
  const before = process.cpuUsage();
  for (let search = 0; search < 60; search++) nearNames(`${'leyar/'.repeat(80)}${search}`, names);
  const { user } = process.cpuUsage(before);
  expect(user / 1e6).toBeLessThan(4); // seconds; every name compared in full took thirty
});

test('says it in a sentence', () => {
  expect(didYouMean('a1', ['a2', 'a3', 'a4'])).toBe(' Did you mean "a2", "a3" or "a4"?');
  expect(didYouMean('epoch', ['epochs'])).toBe(' Did you mean "epochs"?');
  expect(didYouMean('zzz', ['epochs'])).toBe('');
});

test('of very many names an answer tells the first, and how many more there are', () => {
  const names = Array.from({ length: 40 }, (_, index) => `kind-${index}`);
  expect(meantOrThere('kind-41', names)).toMatch(/^ Did you mean "kind-/);
  expect(meantOrThere('zzz', names)).toMatch(/^ There are kind-0, kind-1, .*, kind-11 and 28 more\.$/);
  expect(meantOrThere('zzz', names.slice(0, 13))).toMatch(/kind-11, kind-12\.$/);
  expect(thereAre([])).toBe('');
});
