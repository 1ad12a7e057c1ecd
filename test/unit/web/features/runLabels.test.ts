import { expect, it } from 'vitest';
import { namesakeDetails } from '#web/features/shared/namesakes.ts';
import { runLabels } from '#web/features/shared/runLabels.ts';

const run = (number: number, name: string, lr: number, seed: number) => ({
  ...{ number, name, seed },
  configuration: { kind: 'mf-bpr', datasetName: 'ml-1m', parameters: { lr }, dataset: null },
});

it('runs beside each other have the names that people gave them where these and seeds tell them apart', () => {
  expect(runLabels([run(1, 'sweep · trial 1', 0.1, 1), run(2, 'sweep · trial 2', 0.2, 1)])).toEqual([
    ...['#1 sweep · trial 1', '#2 sweep · trial 2'],
  ]);
  expect(runLabels([run(1, 'small', 0.1, 1), run(2, 'small', 0.1, 2), run(3, 'large', 0.2, 1)])).toEqual([
    ...['#1 small · seed 1', '#2 small · seed 2', '#3 large · seed 1'],
  ]);
  expect(runLabels([run(1, 'mf-bpr', 0.1, 1), run(2, 'mf-bpr', 0.2, 1)])).toEqual(['#1 lr 0.1', '#2 lr 0.2']);
});

it('runs of one name are told apart by what differs in their configurations, then by seeds', () => {
  const runs = [run(1, 'mf-bpr', 0.1, 1), run(2, 'mf-bpr', 0.2, 1), run(3, 'mf-bpr', 0.2, 2), run(4, 'other', 0.3, 0)];
  expect(namesakeDetails(runs)).toEqual(['lr 0.1 · seed 1', 'lr 0.2 · seed 1', 'lr 0.2 · seed 2', '']);
});
