import { expect, test } from 'vitest';
import { createAnswerBudget } from '#src/base/graphql/answerBudget.ts';

test('what a request reads is read one after another, within what is left', async () => {
  const budget = createAnswerBudget(100);
  const seen: number[] = [];
  const read = (bytes: number) =>
    budget.read(async (left) => {
      seen.push(left);
      return { result: bytes, bytes };
    });
  expect(await Promise.all([read(60), read(40)])).toEqual([60, 40]);
  expect(seen).toEqual([100, 40]);
  await expect(read(1)).rejects.toMatchObject({ code: 'TOO_LARGE' });
});

test('rows that do not fit are measured, and not read', async () => {
  const budget = createAnswerBudget(100);
  let listed = 0;
  const rows = (bytes: number) => ({
    measure: async () => bytes,
    list: async () => {
      listed += 1;
      return [bytes];
    },
  });
  await expect(budget.readRows(rows(101))).rejects.toMatchObject({ code: 'TOO_LARGE' });
  expect(listed).toBe(0);
  expect(await budget.readRows(rows(100))).toEqual([100]);
});

test('a value counts each time that it is shown', () => {
  const budget = createAnswerBudget(100);
  budget.charge(60);
  budget.charge(40);
  expect(() => budget.charge(1)).toThrow('more than 100 bytes');
});
