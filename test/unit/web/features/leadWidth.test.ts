import { expect, it } from 'vitest';
import { leadWidth } from '#web/features/runs/RunTableColumns.tsx';

it('numbers of runs have room for all of their digits, beside the keys of curves, too', () => {
  const usual = leadWidth({ narrow: false, hasMarks: false, highest: 12 });
  const keyed = (highest: number) => leadWidth({ narrow: false, hasMarks: true, highest });
  expect(keyed(999)).toBe(usual);
  expect(keyed(1_000)).toBeGreaterThan(usual);
  expect(keyed(1_000_000) - keyed(100_000)).toBe(keyed(100_000) - keyed(10_000));
  const phone = (highest: number) => leadWidth({ narrow: true, hasMarks: false, highest });
  expect(phone(99)).toBeLessThan(usual);
  expect(phone(1_000_000)).toBeGreaterThan(phone(99));
});
