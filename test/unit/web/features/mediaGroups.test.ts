import { expect, test } from 'vitest';
import { mediaCells, mediaGroups } from '#web/features/workspace/mediaGroups.ts';
import { type SubjectRun, subjectsOfReplicates, subjectsOfRuns } from '#web/features/workspace/subjects.ts';

const run = (number: number, lr: unknown, seed = 0): SubjectRun => ({
  ...{ id: String(number), number, name: 'run', seed, state: 'SUCCEEDED' },
  configuration: { kind: 'external', datasetName: null, parameters: lr === undefined ? {} : { lr }, hash: String(lr) },
});

test('media are grouped by a field: numbers by size, runs without a value last', () => {
  const cells = mediaCells(subjectsOfRuns([run(1, 0.001), run(2, undefined), run(3, 1e-5), run(4, 10), run(5, 2)]));
  const groups = mediaGroups(cells, 'config.parameters.lr').map(({ title, cells: own }) => [title, own.length]);
  expect(groups).toEqual([
    ['lr 0.00001', 1],
    ['lr 0.001', 1],
    ['lr 2', 1],
    ['lr 10', 1],
    ['lr –', 1],
  ]);
  expect(mediaGroups(cells, null)).toEqual([{ title: '', cells }]);
});

test('replicates are told apart by their seeds, and grouped by them', () => {
  const cells = mediaCells(subjectsOfReplicates([run(1, 1, 3), run(2, 1, 4)]));
  expect(cells.map(({ label }) => label)).toEqual([
    expect.stringMatching(/ · seed 3$/),
    expect.stringMatching(/ · seed 4$/),
  ]);
  expect(mediaGroups(cells, 'seed').map(({ title }) => title)).toEqual(['seed 3', 'seed 4']);
});
