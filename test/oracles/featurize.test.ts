import { expect, test } from 'vitest';
import { z } from 'zod';
import { directionsByBound, directionsByRule } from '#src/catalog/parameters/featureDimension.ts';
import {
  gaussianKernel,
  kernelTargetAlignment,
  linearKernel,
  weightsRepresentation,
} from '#workers/features/kernelTargetAlignment.ts';
import { nadarayaWatsonPredictions, nadarayaWatsonWeights } from '#workers/features/nadarayaWatson.ts';
import { featureDirections } from '#workers/math/dense/featureDirections.ts';
import { normaliseRows } from '#workers/math/dense/normaliseRows.ts';
import { randomFourierFeatures } from '#workers/math/random/randomFourierFeatures.ts';
import { oracleFile } from './oracleFile.ts';

const number = z.number();
const matrix = z.array(z.array(number));
const oracle = oracleFile(
  'featurize.json',
  z.object({
    deterministic: z.object({
      H: matrix,
      U: matrix,
      labels: z.array(number),
      phi: matrix,
      gram: matrix,
      kernel_standard_gaussian: matrix,
      kernel_exp_minus_sq: matrix,
      unnormalised_H: matrix,
      phi_of_unnormalised: matrix,
    }),
    alignment: z.object({
      A_n_phi: number,
      A_n_exact_standard_gaussian: number,
      A_n_exact_exp_minus_sq: number,
      sigma: z.record(z.string(), number),
    }),
    nadaraya_watson: z.object({
      query: matrix,
      targets: z.array(number),
      labels_pm1: z.array(number),
      cases: z.array(
        z.object({
          bw: number,
          weights: matrix,
          prediction: z.array(number),
          prediction_pm1: z.array(number),
          leave_one_out_prediction_on_training: z.array(number),
        }),
      ),
    }),
    weights_representation: matrix,
    kernel_error_vs_m: z.object({ cases: z.array(z.object({ m: number, expected_rms_over_pairs: number })) }),
    dimension_from_epsilon: z.object({
      cases: z.array(
        z.object({
          d: number,
          epsilon: number,
          sigma_Q: number,
          diameter: number,
          delta: number,
          simple_rule_constant_1: number,
          lemma_A4_as_printed: number,
          'rahimi_recht_claim1 (prefactor squared)': number,
        }),
      ),
    }),
  }),
);

const { deterministic, alignment } = oracle;
const WIDTH = deterministic.U.length;
const h = Float64Array.from(deterministic.H.flat());
// U is stored by column: one direction a column
const directions = Float64Array.from(deterministic.U[0]!.flatMap((_, m) => deterministic.U.map((row) => row[m]!)));

function expectNear(found: ArrayLike<number>, expected: readonly number[], tolerance = 1e-12): void {
  expect(found.length).toBe(expected.length);
  for (const [i, value] of expected.entries()) {
    expect(Math.abs(found[i]! - value), `entry ${i}`).toBeLessThanOrEqual(tolerance);
  }
}

test('φ of given directions, its Gram matrix and the features of rows that are not normalised', () => {
  const phi = randomFourierFeatures(h, directions, WIDTH);
  expectNear(phi, deterministic.phi.flat());
  const product = linearKernel(phi, 2 * deterministic.U[0]!.length);
  expectNear(
    deterministic.H.flatMap((_, i) => deterministic.H.map((_row, j) => product(i, j))),
    deterministic.gram.flat(),
  );
  const raw = Float64Array.from(deterministic.unnormalised_H.flat());
  expectNear(randomFourierFeatures(raw, directions, WIDTH), deterministic.phi_of_unnormalised.flat());
  expectNear(randomFourierFeatures(normaliseRows(raw, WIDTH), directions, WIDTH), deterministic.phi.flat());
});

test('N(0, s²I) has the kernel exp(-s²|u|²/2), and exp(-|u|²) wants N(0, 2I) (docs/errata.md, 26)', () => {
  for (const [sigma, expected] of [
    [1, deterministic.kernel_standard_gaussian],
    [Math.SQRT2, deterministic.kernel_exp_minus_sq],
  ] as const) {
    const kernel = gaussianKernel(h, WIDTH, sigma);
    expectNear(
      deterministic.H.flatMap((_, i) => deterministic.H.map((_row, j) => kernel(i, j))),
      expected.flat(),
    );
  }
});

test('alignment A_n with i and j, of φ and of the exact kernels (docs/errata.md, 27)', () => {
  const { labels } = deterministic;
  const phi = randomFourierFeatures(h, directions, WIDTH);
  const found = kernelTargetAlignment(labels, linearKernel(phi, 2 * deterministic.U[0]!.length));
  expect(found).toBeCloseTo(alignment.A_n_phi, 12);
  const exact = (sigma: number): number => kernelTargetAlignment(labels, gaussianKernel(h, WIDTH, sigma));
  expect(exact(1)).toBeCloseTo(alignment.A_n_exact_standard_gaussian, 12);
  expect(exact(Math.SQRT2)).toBeCloseTo(alignment.A_n_exact_exp_minus_sq, 12);
  for (const [sigma, value] of Object.entries(alignment.sigma)) expect(exact(Number(sigma))).toBeCloseTo(value, 12);
});

test('Nadaraya-Watson weights, predictions, and predictions without the sample itself', () => {
  const { query, targets, labels_pm1: labels, cases } = oracle.nadaraya_watson;
  for (const { bw, weights, prediction, prediction_pm1, leave_one_out_prediction_on_training: leftOut } of cases) {
    const samples = { h, width: WIDTH, bandwidth: bw };
    const found = nadarayaWatsonWeights(query.flat(), samples);
    expectNear(found, weights.flat());
    expectNear(nadarayaWatsonPredictions(found, targets), prediction);
    expectNear(nadarayaWatsonPredictions(found, labels), prediction_pm1);
    const others = nadarayaWatsonWeights(h, samples, (i) => i);
    expectNear(nadarayaWatsonPredictions(others, targets), leftOut);
  }
});

test('the representation of weights', () => {
  expectNear(weightsRepresentation(h, WIDTH), oracle.weights_representation.flat());
});

test('the number of directions from ε, by the rule and by both forms of the bound', () => {
  for (const one of oracle.dimension_from_epsilon.cases) {
    const target = { dimension: one.d, epsilon: one.epsilon, sigma: one.sigma_Q / Math.sqrt(one.d) };
    expect(directionsByRule(target)).toBe(one.simple_rule_constant_1);
    const bound = { ...target, delta: one.delta, diameter: one.diameter };
    expect(directionsByBound({ ...bound, prefactorPower: 1 })).toBe(one.lemma_A4_as_printed);
    expect(directionsByBound(bound)).toBe(one['rahimi_recht_claim1 (prefactor squared)']);
  }
});

test('the error of ⟨φ, φ⟩ with our own directions falls as 1/√m: its mean square over draws is the exact one', () => {
  const n = deterministic.H.length;
  const kernel = gaussianKernel(h, WIDTH, 1);
  const DRAWS = 200;
  for (const { m, expected_rms_over_pairs: expected } of oracle.kernel_error_vs_m.cases.filter((one) => one.m <= 256)) {
    const squares: number[] = [];
    for (let draw = 0; draw < DRAWS; draw++) {
      const map = { seed: draw, directions: m, dimension: WIDTH, sigma: 1 };
      const product = linearKernel(randomFourierFeatures(h, featureDirections(map), WIDTH), 2 * m);
      let sum = 0;
      for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) sum += (product(i, j) - kernel(i, j)) ** 2;
      squares.push(sum / ((n * (n - 1)) / 2));
    }
    const mean = squares.reduce((sum, value) => sum + value, 0) / DRAWS;
    const variance = squares.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (DRAWS - 1);
    expect(Math.abs(mean - expected ** 2), `m = ${m}`).toBeLessThan(4 * Math.sqrt(variance / DRAWS));
  }
});
