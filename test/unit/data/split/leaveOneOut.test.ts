import { expect, test } from 'vitest';
import { leaveOneOut, testHistory } from '#workers/data/split/leaveOneOut.ts';
import { trainingItems } from '#workers/data/split/trainingPart.ts';
import { datasetOf } from '../dataFiles.ts';

test('the last item tests, the one before validates, the others train', () => {
  const split = leaveOneOut(
    datasetOf([
      [4, 3, 2, 1],
      [0, 1, 0],
    ]),
  );
  expect([...split.test]).toEqual([1, 0]);
  expect([...split.validation]).toEqual([2, 1]);
  expect([...trainingItems(split, 0)]).toEqual([4, 3]);
  expect([...trainingItems(split, 1)]).toEqual([0]);
  expect([...testHistory(split, 0)]).toEqual([4, 3, 2]);
});

test('users with one or two items are training data only', () => {
  const split = leaveOneOut(datasetOf([[5], [1, 2], [1, 2, 3]]));
  expect([...split.evaluatedUsers]).toEqual([2]);
  expect([...split.test]).toEqual([-1, -1, 3]);
  expect([...split.validation]).toEqual([-1, -1, 2]);
  expect([...trainingItems(split, 0)]).toEqual([5]);
  expect([...trainingItems(split, 1)]).toEqual([1, 2]);
});
