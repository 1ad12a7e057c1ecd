import { expect, test } from 'vitest';
import { parseParameters } from '#src/catalog/parseParameters.ts';
import { embeddingPerturbationKind } from '#src/catalog/kinds/embeddingPerturbation.ts';
import { experimentOf } from '#workers/experiments/registry.ts';
import { kernelsAreBuilt } from '#workers/wasm/calls/kernelModule.ts';
import { datasetOf } from '../data/dataFiles.ts';
import { type GivenContext, lastValues, recordingContext } from './recordingContext.ts';

const SMALL = { nodes: 24, edges: 3, graphs: 3, insertions: 2, dimension: 6 };

async function run(parameters: Record<string, unknown> = {}, over: GivenContext = {}) {
  const { recorded, context } = recordingContext<unknown>(datasetOf([]), { ...SMALL, ...parameters }, over);
  await experimentOf('embedding-perturbation')(context);
  return recorded;
}

test.runIf(kernelsAreBuilt())(
  'has every measure of both methods by degree, and aligned is never above raw',
  async () => {
    const recorded = await run();
    const at = (name: string) =>
      new Map(recorded.metrics.filter((metric) => metric.name === name).map(({ step, value }) => [step, value]));
    const raw = at('le/raw_difference');
    expect(Math.min(...raw.keys())).toBeGreaterThan(0);
    for (const method of ['le', 'leporid']) {
      const [own, aligned, norm] = ['raw', 'aligned', 'norm'].map((measure) => at(`${method}/${measure}_difference`));
      expect([...own!.keys()]).toEqual([...raw.keys()]);
      // the lengths differ no more than the vectors do, turned or not
      for (const [degree, value] of norm!) {
        expect(value).toBeLessThanOrEqual(aligned!.get(degree)! + 1e-9);
        expect(value).toBeLessThanOrEqual(own!.get(degree)! + 1e-9);
      }
    }
    const counts = Object.values(recorded.notes.get('nodesByDegree') as Record<string, number>);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(3 * 24);
    for (const name of ['figure-2-raw.svg', 'figure-2-aligned.csv']) expect(recorded.artifacts.has(name)).toBe(true);
  },
);

test.runIf(kernelsAreBuilt())('goes on from every checkpoint to the same numbers', async () => {
  const whole = await run({ signs: 'random' });
  for (const checkpoint of whole.checkpoints) {
    expect(lastValues(await run({ signs: 'random' }, { checkpoint }))).toEqual(lastValues(whole));
  }
});

test.runIf(kernelsAreBuilt())('a loop leaves the unnormalised Laplacian as it is, not the symmetric one', async () => {
  // a star: all that can be added to its middle, of degree 3, is a loop
  const whole = { nodes: 4, edges: 3, graphs: 1, dimension: 2, selfLoops: true };
  const moved = async (laplacian: string) => {
    const { metrics } = await run({ ...whole, laplacian });
    return metrics.find(({ name, step }) => name === 'le/norm_difference' && step === 3)?.value;
  };
  expect(await moved('unnormalised')).toBe(0);
  expect(await moved('symmetric')).toBeGreaterThan(1e-6);
});

test.runIf(kernelsAreBuilt())('all dimensions of a graph are only turned by an edge: aligned is 0', async () => {
  const recorded = await run({ graphs: 1, dimension: 24 });
  const aligned = recorded.metrics.filter(({ name }) => name === 'le/aligned_difference');
  for (const { value } of aligned) expect(value).toBeLessThan(1e-9);
});

test.each([
  [{ edges: 100 }, /edges.*expected less than nodes, which is 100/],
  [{ dimension: 101 }, /dimension.*expected at most nodes, which is 100/],
  [{ alpha: -0.1 }, /alpha/],
])('%j is refused', (parameters, message) => {
  expect(() => parseParameters(embeddingPerturbationKind, parameters)).toThrow(message);
});
