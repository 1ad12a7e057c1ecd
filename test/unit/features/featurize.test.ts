import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '#src/base/lib/projectRoot.ts';
import { directionsByBound, directionsByRule } from '#src/catalog/parameters/featureDimension.ts';
import { type FeatureMap, featureDirections } from '#workers/math/dense/featureDirections.ts';
import { normaliseRows } from '#workers/math/dense/normaliseRows.ts';
import { featurize } from '#workers/math/random/randomFourierFeatures.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';

const MAP: FeatureMap = { seed: 7, directions: 6, dimension: 4, sigma: 0.5 };

function unitRows(rows: number, width: number): Float64Array {
  const generator = randomGenerator(2, 'rows');
  return normaliseRows(
    Float64Array.from({ length: rows * width }, () => generator.normal()),
    width,
  );
}

test('the map alone gives the directions; a longer one begins with those of a shorter one', () => {
  expect(featureDirections({ ...MAP })).toEqual(featureDirections(MAP));
  expect(featureDirections({ ...MAP, directions: 9 }).subarray(0, 24)).toEqual(featureDirections(MAP));
  expect(featureDirections({ ...MAP, seed: 8 })).not.toEqual(featureDirections(MAP));
});

test('another process rebuilds the same features from the stored map', () => {
  const h = unitRows(5, 4);
  const module = join(projectRoot(), 'workers/math/random/randomFourierFeatures.ts');
  const script = `import { featurize } from ${JSON.stringify(module)};
    console.log(JSON.stringify([...featurize(${JSON.stringify([...h])}, ${JSON.stringify(MAP)})]));`;
  const esbuild = join(projectRoot(), 'node_modules/esbuild/bin/esbuild');
  const bundled = spawnSync(esbuild, ['--bundle', '--format=esm', '--platform=neutral', '--loader=ts'], {
    input: script,
    encoding: 'utf8',
  });
  expect(bundled.stderr).toBe('');
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module'], {
    input: bundled.stdout,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  const theirs: number[] = JSON.parse(stdout);
  const ours = featurize(h, MAP);
  expect(theirs.length).toBe(ours.length);
  for (const [i, value] of theirs.entries()) expect(Math.abs(value - ours[i]!)).toBeLessThan(1e-12);
});

/** Π or sum over coordinates: the kernels whose measures are drawn from. */
const KERNELS = {
  gaussian: (u: number[], s: number) => Math.exp((-(s ** 2) * u.reduce((sum, x) => sum + x * x, 0)) / 2),
  laplace: (u: number[], s: number) => Math.exp(-s * u.reduce((sum, x) => sum + Math.abs(x), 0)),
  cauchy: (u: number[], s: number) => u.reduce((product, x) => product / (1 + (s * x) ** 2), 1),
};

test.each([
  { kernel: 'gaussian', orthogonal: false },
  { kernel: 'gaussian', orthogonal: true },
  { kernel: 'laplace', orthogonal: false },
  { kernel: 'cauchy', orthogonal: false },
] as const)(
  'inner products of features are the kernel, to within their sampling error: %j',
  ({ kernel, orthogonal }) => {
    const h = unitRows(6, 4);
    const m = 40_000;
    const phi = featurize(h, { ...MAP, directions: m, sigma: 0.8, kernel, orthogonal });
    for (let i = 0; i < 6; i++) {
      for (let j = 0; j <= i; j++) {
        let product = 0;
        for (let at = 0; at < 2 * m; at++) product += phi[i * 2 * m + at]! * phi[j * 2 * m + at]!;
        const difference = [0, 1, 2, 3].map((d) => h[4 * i + d]! - h[4 * j + d]!);
        // the variance of a sample is at most 1/2
        expect(Math.abs(product - KERNELS[kernel](difference, 0.8))).toBeLessThan(5 * Math.sqrt(0.5 / m));
      }
    }
  },
);

test('orthogonal directions are at right angles in blocks of d, as long as Gaussian ones', () => {
  const rows = featureDirections({ ...MAP, directions: 4000, sigma: 2, orthogonal: true });
  let squares = 0;
  for (let block = 0; block < 4000; block += 4) {
    for (let a = block; a < block + 4; a++) {
      for (let b = block; b <= a; b++) {
        let product = 0;
        for (let d = 0; d < 4; d++) product += rows[4 * a + d]! * rows[4 * b + d]!;
        if (a === b) squares += product;
        else expect(Math.abs(product)).toBeLessThan(1e-12 * 100);
      }
    }
  }
  // E|u|² = d σ² = 16, of 4000 draws with standard deviation σ² √(2d)
  expect(Math.abs(squares / 4000 - 16)).toBeLessThan((4 * 4 * Math.sqrt(8)) / Math.sqrt(4000));
});

test.each([
  ['no directions', { directions: 0 }, /m = 0/],
  ['half a direction', { directions: 1.5 }, /m = 1\.5/],
  ['no width', { sigma: 0 }, /σ_Q = 0/],
  ['orthogonal ones of another kernel', { kernel: 'laplace', orthogonal: true }, /expected gaussian/],
] as const)('%s: refused', (_, over, message) => {
  expect(() => featureDirections({ ...MAP, ...over })).toThrow(message);
});

test('rows that are not normalised are refused, and what would help said', () => {
  const h = unitRows(3, 4);
  expect(() =>
    featurize(
      h.map((value) => 1.1 * value),
      MAP,
    ),
  ).toThrow(/norms of h from 1\.1.*normalise h first/);
  expect(() => normaliseRows(new Float64Array(4), 4)).toThrow(/row 0 is zero/);
  expect(() => normaliseRows(Float64Array.of(1, Number.NaN), 2)).toThrow(/not finite/);
});

test('an ε or δ that means nothing is refused', () => {
  expect(() => directionsByRule({ dimension: 32, epsilon: 0 })).toThrow(/ε = 0/);
  expect(() => directionsByBound({ dimension: 32, epsilon: 0.1, delta: 1 })).toThrow(/δ = 1/);
  expect(directionsByRule({ dimension: 32, epsilon: 0.1 })).toBe(12_914);
});
