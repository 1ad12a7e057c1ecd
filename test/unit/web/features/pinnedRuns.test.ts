import { expect, it } from 'vitest';
import { readPins, togglePins, writePins } from '#web/features/runs/pinnedRuns.ts';

it('an address with pinned runs is read, whatever else somebody wrote there', () => {
  expect(readPins('12,3')).toEqual([12, 3]);
  expect(readPins('12,12,x,0,-1,1e3,,7')).toEqual([12, 7]);
  expect(readPins(undefined)).toEqual([]);
  expect(readPins(Array.from({ length: 40 }, (_, i) => i + 1).join(','))).toHaveLength(20);
  expect(readPins(writePins([4, 5]))).toEqual([4, 5]);
  expect(writePins([])).toBeUndefined();
});

it('runs are pinned together, and lose their pins where all of them have one', () => {
  expect(togglePins([1], [1, 2])).toEqual([1, 2]);
  expect(togglePins([1, 2, 3], [1, 2])).toEqual([3]);
});
