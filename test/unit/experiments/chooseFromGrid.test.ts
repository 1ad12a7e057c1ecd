import { expect, test } from 'vitest';
import { chooseFromGrid } from '#workers/experiments/series/chooseFromGrid.ts';

const points = [0.1, 1, 10].flatMap((alpha) => [1, 2, 3].map((cost) => ({ alpha, cost })));

test('the highest count is chosen, of equal ones the first or the middle of the plateau', () => {
  expect(chooseFromGrid(points, [1, 2, 3, 4, 9, 4, 3, 2, 1], 'centre')).toEqual({ place: 4, ties: 1 });
  const plateau = [5, 5, 5, 5, 5, 5, 5, 5, 5];
  expect(chooseFromGrid(points, plateau, 'first')).toEqual({ place: 0, ties: 9 });
  expect(chooseFromGrid(points, plateau, 'centre')).toEqual({ place: 4, ties: 9 });
  // one corner, by steps and not by values
  expect(chooseFromGrid(points, [0, 0, 0, 5, 5, 0, 5, 5, 0], 'centre')).toEqual({ place: 3, ties: 4 });
  expect(chooseFromGrid(points, [0, 0, 5, 0, 0, 5, 0, 0, 5], 'centre')).toEqual({ place: 5, ties: 3 });
});
