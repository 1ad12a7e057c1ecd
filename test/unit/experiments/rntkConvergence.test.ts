import { expect, test } from 'vitest';
import { presetByName } from '#src/catalog/kinds.ts';
import { rntkConvergenceKind } from '#src/catalog/kinds/rntkConvergence.ts';
import { experimentOf } from '#workers/experiments/registry.ts';
import { datasetOf } from '../data/dataFiles.ts';
import { lastValues, recordingContext } from './recordingContext.ts';

test('errors fall about as 1/√n and the drift at least so, tied and untied alike, and the figures are left as files', async () => {
  const { parameters } = presetByName(rntkConvergenceKind, 'demo/rntk-convergence-small');
  const { recorded, context } = recordingContext<unknown>(datasetOf([[0]], 1), parameters);
  await experimentOf('rntk-convergence')(context);
  const metrics = lastValues(recorded);
  for (const slope of ['tied/slope', 'untied/slope']) {
    expect(metrics[slope], slope).toBeGreaterThan(-0.8);
    expect(metrics[slope], slope).toBeLessThan(-0.3);
  }
  expect(metrics['training/slope']).toBeLessThan(-0.3);
  expect(metrics['training/loss_left']).toBeLessThan(0.5);
  const files = ['figure-2-left', 'figure-2-right', 'theorem-2'].flatMap((name) =>
    ['svg', 'png', 'json', 'csv'].map((type) => `${name}.${type}`),
  );
  expect([...recorded.artifacts.keys()].sort()).toEqual(files.sort());
});
