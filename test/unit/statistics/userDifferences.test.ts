import { describe, expect, test } from 'vitest';
import { countDifferences } from '#src/statistics/differenceCounts.ts';
import { parseUserMetricName, usersInRange } from '#src/statistics/userMetricName.ts';
import { type UserTable, userValues } from '#src/statistics/userValues.ts';

describe('names of metrics of users', () => {
  test('say part, group and metric', () => {
    expect(parseUserMetricName('test/ndcg@7')).toEqual({ part: 'test', group: null, metric: 'ndcg@7' });
    expect(parseUserMetricName('valid/length-5-9/hr@10')).toEqual({
      ...{ part: 'valid', metric: 'hr@10' },
      group: { of: 'length', from: 5, to: 9 },
    });
    expect(parseUserMetricName('test/popularity-100-up/mrr@20')?.group).toEqual({
      ...{ of: 'popularity', from: 100, to: Number.POSITIVE_INFINITY },
    });
  });

  test.each([
    'train/ndcg@7',
    'test/ndcg',
    'test/ndcg@0',
    'test/length-9-5/hr@1',
    'test/age-1-5/hr@1',
    'test/tail/hr@1',
  ])('%s is no such name', (name) => {
    expect(parseUserMetricName(name)).toBeNull();
  });

  test('groups hold both ends of their range', () => {
    expect([...usersInRange([4, 5, 9, 10], { of: 'length', from: 5, to: 9 })]).toEqual([1, 2]);
  });
});

describe('values of users from ranks', () => {
  const table = (values: number[]): UserTable => ({ of: 'ranks', columns: [5, 10], rows: values.length / 2, values });

  test('are those of any cut-off where the ranking is the same for all', () => {
    const same = table([1, 1, 7, 7, 12, 12, 0, 0]);
    expect([...userValues(same, 'hr@7')]).toEqual([1, 1, 0, 0]);
    expect([...userValues(same, 'hr@20')]).toEqual([1, 1, 1, 0]);
    expect([...userValues(same, 'mrr@6')]).toEqual([1, 0, 0, 0]);
  });

  test('are those of the logged cut-offs alone where rankings depend on the cut-off', () => {
    const other = table([1, 2, 7, 7]);
    expect([...userValues(other, 'hr@10')]).toEqual([1, 1]);
    expect(() => userValues(other, 'hr@7')).toThrow(/tell hr@5, .*not hr@7/);
  });

  test.each(['hr@0', 'hr@1.5', 'hr@', 'toString@5', 'hr@05'])('%s is refused', (metric) => {
    expect(() => userValues(table([1, 1]), metric)).toThrow(RangeError);
  });
});

describe('differences of users', () => {
  test('are counted in steps on both sides of zero', () => {
    const { counts, ...rest } = countDifferences([0, 0, 1, 0.05, -0.5, -0.51]);
    expect(rest).toEqual({ above: 2, below: 2, equal: 2, limit: 1 });
    expect(counts).toHaveLength(20);
    expect(Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0))).toEqual({
      4: 1,
      5: 1,
      10: 1,
      19: 1,
    });
  });

  test('of users who are all equal have no extent', () => {
    expect(countDifferences([0, 0])).toMatchObject({ above: 0, below: 0, equal: 2, limit: 0 });
  });
});
