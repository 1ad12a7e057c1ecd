import { expect, test } from 'vitest';
import { experimentOf } from '#workers/experiments/registry.ts';
import { datasetOf } from '../data/dataFiles.ts';
import { lastValues, recordingContext } from './recordingContext.ts';

const parameters = {
  repetitions: 60,
  length: 40,
  sigmaWValues: [1, Math.SQRT2, 1.8],
  sigmaUValues: [],
  sigmaBValues: [],
  sigmaHValues: [],
};

test('with ReLU the kernel looks at all steps alike at σ_w = √2, at the last below and at the first above', async () => {
  const { recorded, context } = recordingContext<unknown>(datasetOf([[0]], 1), parameters);
  await experimentOf('rntk-sensitivity')(context);
  const metrics = lastValues(recorded);
  const flat = metrics['flatness/sigma-w/1.414']!;
  expect(flat).toBeGreaterThan(3 * metrics['flatness/sigma-w/1']!);
  expect(flat).toBeGreaterThan(3 * metrics['flatness/sigma-w/1.8']!);
  const figure = JSON.parse(new TextDecoder().decode(recorded.artifacts.get('figure-3-relu-sigma-w.json')));
  const [below, , above] = figure.series.map(({ y }: { y: number[] }) => y);
  expect(below.at(-1)).toBeGreaterThan(below[0]);
  expect(above[0]).toBeGreaterThan(above.at(-1));
  expect([...recorded.artifacts.keys()]).toHaveLength(4);
});
