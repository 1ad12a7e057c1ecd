import { expect, test } from 'vitest';
import { differingParts } from '#src/base/lib/differingParts.ts';

test('long names show the part in which they differ', () => {
  expect(differingParts(['sasrec-beauty-2026-11-lr-0.1', 'sasrec-beauty-2026-11-lr-0.01', 'baseline'])).toEqual([
    'sasrec-b… lr-0.1',
    'sasrec-b… lr-0.01',
    'baseline',
  ]);
  expect(
    differingParts(['a long name of a good run, seed one', 'a long name of a good run, seed two and more']),
  ).toEqual(['a long n… seed one', 'a long n… seed two and more']);
});

test('short names, names alike in nothing, and one that begins with another stay told apart', () => {
  expect(differingParts(['lr 0.1', 'lr 0.01'])).toEqual(['lr 0.1', 'lr 0.01']);
  const unlike = ['x'.repeat(40), 'y'.repeat(40)];
  expect(differingParts(unlike)).toEqual(unlike);
  expect(new Set(differingParts(['experiment-with-everything', 'experiment-with-everything-else'])).size).toBe(2);
  expect(differingParts(['one-and-the-same-long-name-here', 'one-and-the-same-long-name-here'])).toHaveLength(2);
});
