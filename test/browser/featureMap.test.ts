import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { builtFile, projectRoot } from '#src/base/lib/projectRoot.ts';
import type { FeatureMap } from '#workers/math/dense/featureDirections.ts';
import { normaliseRows } from '#workers/math/dense/normaliseRows.ts';
import { featurize } from '#workers/math/random/randomFourierFeatures.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { apiForTests } from '../integration/support/apiForTests.ts';
import { describeInBrowser, hasChromium, openPage } from './support/chromium.ts';

const api = hasChromium ? await apiForTests({ dashboardFolder: builtFile('web') }) : null;

const MAPS: FeatureMap[] = [
  { seed: 3, directions: 16, dimension: 32, sigma: 1 },
  { seed: 3, directions: 40, dimension: 32, sigma: 0.6, orthogonal: true },
  { seed: 3, directions: 16, dimension: 32, sigma: 1, kernel: 'laplace' },
  { seed: 3, directions: 16, dimension: 32, sigma: 1, kernel: 'cauchy' },
];

describeInBrowser('featurization in the dashboard’s page', () => {
  test('rebuilds the features of Node from the stored map', async () => {
    const { page } = await openPage(api!.url);
    await page.goto('/');
    const { outputFiles } = await build({
      entryPoints: [`${projectRoot()}/workers/math/random/randomFourierFeatures.ts`],
      ...{ bundle: true, write: false, format: 'iife', globalName: 'features', platform: 'browser' },
    });
    const generator = randomGenerator(1, 'rows');
    const drawn = Float64Array.from({ length: 5 * 32 }, () => generator.normal());
    const h = normaliseRows(drawn, 32);
    for (const map of MAPS) {
      const script = `(() => { ${outputFiles[0]!.text}; return [...features.featurize(${JSON.stringify([...h])}, ${JSON.stringify(map)})]; })()`;
      const found = await page.evaluate<number[]>(script);
      const expected = featurize(h, map);
      expect(found.length).toBe(expected.length);
      for (const [i, value] of found.entries()) expect(Math.abs(value - expected[i]!)).toBeLessThan(1e-6);
    }
  });
});
