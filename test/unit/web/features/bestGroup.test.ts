import { expect, it } from 'vitest';
import { bestGroup } from '#web/features/comparisons/bestGroup.ts';

const groups = [0.2, 0.4, 0.3].map((mean) => ({ metrics: [{ name: 'test/ndcg@10', mean }] }));
const higher = { name: 'test/ndcg@10', direction: 'higher' } as const;

it('the configuration with the best mean is the greatest or the least, by which way is better', () => {
  const comparison = { groups, notComparable: [] };
  expect(bestGroup(comparison, higher)).toBe(1);
  expect(bestGroup(comparison, { ...higher, direction: 'lower' })).toBe(0);
  expect(bestGroup({ groups: [{ metrics: [] }, ...groups], notComparable: [] }, higher)).toBe(2);
});

it('none is called best where it is not known what is better, or the runs do not compare', () => {
  expect(bestGroup({ groups, notComparable: [] }, { ...higher, direction: null })).toBeNull();
  expect(bestGroup({ groups, notComparable: [] }, { ...higher, name: 'test/hr@10' })).toBeNull();
  expect(bestGroup({ groups, notComparable: ['they are on different data'] }, higher)).toBeNull();
});
