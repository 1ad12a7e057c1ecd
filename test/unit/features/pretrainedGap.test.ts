import { expect, test } from 'vitest';
import { fitOnUnitBall, quarterSquaredRisk } from '#workers/features/ballRegression.ts';
import { drawRepresentations, pretrainedGap, pretrainedGapBounds } from '#workers/features/pretrainedGap.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';

const SHAPE = { inputs: 16, dimension: 4 };

test.each([
  ['within the ball', [0.5, 0.1, 0.1, 0.4], [0.2, -0.1]],
  ['on its boundary', [0.5, 0.1, 0.1, 0.05], [0.4, 0.12]],
  ['of moments without an inverse', [0.25, 0.25, 0.25, 0.25], [0.1, 0.1]],
])('no θ of the unit ball has a smaller risk than the fit: %s', (_, second, cross) => {
  const moments = { second: Float64Array.from(second), cross: Float64Array.from(cross), width: 2 };
  const found = fitOnUnitBall(moments);
  expect(Math.hypot(...found)).toBeLessThan(1 + 1e-8);
  let least = Number.POSITIVE_INFINITY;
  for (let angle = 0; angle < 2000; angle++) {
    for (let percent = 0; percent <= 100; percent++) {
      const norm = percent / 100;
      const at = Float64Array.of(norm * Math.cos((angle * Math.PI) / 1000), norm * Math.sin((angle * Math.PI) / 1000));
      least = Math.min(least, quarterSquaredRisk(moments, at));
    }
  }
  expect(quarterSquaredRisk(moments, found)).toBeLessThan(least + 1e-9);
  expect(quarterSquaredRisk(moments, found)).toBeGreaterThan(least - 1e-4);
});

test('representations have orthonormal rows', () => {
  const [projection] = drawRepresentations(1, SHAPE, randomGenerator(1, 'one'));
  for (let at = 0; at < 16; at++) {
    const [a, b] = [Math.floor(at / 4), at % 4];
    let product = 0;
    for (let j = 0; j < 16; j++) product += projection![16 * a + j]! * projection![16 * b + j]!;
    expect(product).toBeCloseTo(a === b ? 1 : 0, 12);
  }
});

test('the supremum over H falls as 1/√n though the printed bound does not, and differences between h stay', () => {
  const representations = drawRepresentations(32, SHAPE, randomGenerator(1, 'family'));
  const [few, many] = [50, 800].map((samples) => {
    const one = { ...SHAPE, representations, samples };
    const found = pretrainedGap(one, 50, randomGenerator(1, `data ${samples}`));
    // a maximum of 32 Gaussian variables of variance at most n
    expect(found.gaussianComplexity).toBeLessThan(Math.sqrt(2 * samples * Math.log(32)));
    const bounds = pretrainedGapBounds(one, found.gaussianComplexity, 0.1);
    for (const excess of found.excess) {
      expect(excess).toBeGreaterThan(-1e-12);
      expect(excess).toBeLessThan(Math.min(bounds.corrected, bounds.printed));
    }
    return { ...found, bounds, supremum: found.suprema.reduce((sum, value) => sum + value, 0) };
  });
  const ratio = few!.supremum / many!.supremum;
  expect(ratio).toBeGreaterThan(2.8);
  expect(ratio).toBeLessThan(5.6);
  expect(many!.deviationOfNoise).toBeLessThan(few!.deviationOfNoise / 8);
  expect(many!.deviationOverRepresentations / few!.deviationOverRepresentations).toBeGreaterThan(0.85);
  expect(many!.bounds.printed / few!.bounds.printed).toBeGreaterThan(0.9);
  expect(many!.bounds.proven).toBeGreaterThan(1);
  expect(many!.bounds.corrected).toBeCloseTo(few!.bounds.corrected / 4, 12);
});

test('the modified complexity of linear maps is E χ_d/√d', () => {
  const shape = { inputs: 4, dimension: 4 };
  const representations = drawRepresentations(1, shape, randomGenerator(1, 'square'));
  const { printed } = pretrainedGapBounds({ ...shape, representations, samples: 100 }, 0, 0.1);
  // E χ₄ = 3/2 √(π/2), and h = W'x is as long as x
  expect(printed).toBeCloseTo((0.75 * Math.sqrt(Math.PI / 2)) / 10 + Math.sqrt(Math.log(10)), 12);
});
