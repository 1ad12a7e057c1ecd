import { expect, it } from 'vitest';
import { shownCell } from '#web/features/media/shownCell.ts';

it('cells of logged tables show fractions in four significant digits, and whole numbers and texts whole', () => {
  const cells = [1 / 7, -2 / 3, 1.5e-9, 1234.5678, 0.5, 123456789, -3, '0.14285714285714285', true, null, [1 / 4]];
  expect(cells.map(shownCell)).toEqual([
    ...['0.1429', '−0.6667', '1.5e-9', '1235', '0.5', '123456789', '−3', '0.14285714285714285', 'true', '', '[0.25]'],
  ]);
});
