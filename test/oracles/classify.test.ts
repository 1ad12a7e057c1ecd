import { describe, expect, test } from 'vitest';
import { innerProducts, perceptronGram, polynomialGram, rbfGram } from '#workers/kernels/recurrent/inputGram.ts';
import type { KernelMatrix } from '#workers/kernels/recurrent/kernelMatrix.ts';
import { kernelSpectrum, ridgeCoefficients, ridgePredictions } from '#workers/kernels/machines/kernelRidge.ts';
import { recurrentGram } from '#workers/kernels/recurrent/recurrentGram.ts';
import { recurrentKernelPair } from '#workers/kernels/recurrent/recurrentKernelPair.ts';
import { seriesSet } from '#workers/kernels/recurrent/seriesSet.ts';
import { vectorSequencePair } from '#workers/kernels/recurrent/sequencePair.ts';
import {
  decisionValues,
  predictClasses,
  trainSupportVectorMachine,
} from '#workers/kernels/machines/supportVectorMachine.ts';
import { classifyOracle } from './classifyOracle.ts';

const { hyper, krr_sinusoid, synthetic } = classifyOracle;

const dot = (x: readonly number[], y: readonly number[]): number => x.reduce((sum, value, t) => sum + value * y[t]!, 0);
const unit = (x: readonly number[]): number[] => x.map((value) => value / Math.sqrt(dot(x, x)));

/** The kernels with two parameters or fewer, written out; those of networks as their slow reference implementations. */
const KERNELS = {
  rbf: (x: number[], y: number[]) => Math.exp(-hyper.rbf.alpha * x.reduce((sum, v, t) => sum + (v - y[t]!) ** 2, 0)),
  poly: (x: number[], y: number[]) => (hyper.poly.r + dot(x, y)) ** hyper.poly.d,
  rntk: (x: number[], y: number[]) => recurrent(x, y).theta,
  nngp: (x: number[], y: number[]) => recurrent(x, y).nngp,
};

const rntkNetwork = {
  activation: hyper.rntk.phi,
  layers: hyper.rntk.L,
  sigmaW: hyper.rntk.sigma_w,
  sigmaU: hyper.rntk.sigma_u,
  sigmaB: hyper.rntk.sigma_b,
  sigmaV: hyper.rntk.sigma_v,
  sigmaH: hyper.rntk.sigma_h,
} as const;

function recurrent(x: number[], y: number[]) {
  const sequence = (values: number[]) => values.map((value) => [value]);
  return recurrentKernelPair(rntkNetwork, vectorSequencePair(sequence(x), sequence(y)));
}

function matrixOf(rows: number[][], columns: number[][], kernel: (x: number[], y: number[]) => number): KernelMatrix {
  const values = Float64Array.from(rows.flatMap((row) => columns.map((column) => kernel(row, column))));
  return { rows: rows.length, columns: columns.length, values };
}

describe.each(synthetic.map((problem) => [problem.classes, problem] as const))('C-SVM, %i classes', (_, problem) => {
  test.each(['rntk', 'nngp', 'rbf', 'poly'] as const)('agrees with LIBSVM on the kernel %s', (name) => {
    const train = problem.X_train.map(unit);
    const held = problem.X_test.map(unit);
    const gram = matrixOf(train, train, KERNELS[name]);
    const cross = matrixOf(held, train, KERNELS[name]);
    const expected = problem.svm[name];
    const model = trainSupportVectorMachine(gram, problem.y_train, { cost: hyper.C, tolerance: 1e-8 });
    expect([...predictClasses(model, cross)]).toEqual(expected.predictions);
    const decisionsOf = (row: number) =>
      decisionValues(model, cross.values.slice(row * cross.columns, (row + 1) * cross.columns));
    for (const [row, value] of (expected.decision_values ?? []).entries()) {
      const sign = expected.decision_values_positive_is_class === model.machines[0]!.positive ? 1 : -1;
      expect(Math.abs(sign * decisionsOf(row)[0]! - value), `decision ${row}`).toBeLessThan(2e-5);
    }
    for (const [row, values] of (expected.decision_values_ovo ?? []).entries()) {
      expect(model.machines.map(({ positive, negative }) => [positive, negative])).toEqual(expected.ovo_pairs);
      const decisions = decisionsOf(row);
      for (const [m, value] of values.entries()) expect(Math.abs(decisions[m]! - value)).toBeLessThan(2e-5);
    }
    if (expected.dual_objective !== undefined) {
      const found = model.machines[0]!.solution.dualObjective;
      expect(Math.abs(found - expected.dual_objective)).toBeLessThan(1e-6 * expected.dual_objective);
    }
  });
});

test.each(
  krr_sinusoid.results.map((result) => [`${result.kernel} ${result.padding ?? ''} ${result.ridge}`, result] as const),
)('kernel ridge regression of the noisy sinusoid: %s', (_, result) => {
  const { series, T_fixed, T_var } = krr_sinusoid;
  const segmentsOf = (places: number[][]) => places.map(([start, length]) => series.slice(start, start! + length!));
  const targetsOf = (places: number[][]) => places.map(([start, length]) => series[start! + length!]!);
  const padded = (segment: number[]): number[] => {
    const zeros = new Array<number>(T_fixed + T_var - segment.length).fill(0);
    return result.padding === 'front' ? [...zeros, ...segment] : [...segment, ...zeros];
  };
  const [train, held] = [segmentsOf(krr_sinusoid.train_start_length), segmentsOf(krr_sinusoid.test_start_length)];
  const [gram, cross] = [train, held].map((rows) => {
    if (result.kernel === 'rntk') {
      const sets = { rows: seriesSet(rows), columns: rows === train ? null : seriesSet(train) };
      return recurrentGram(null, sets, { network: rntkNetwork, kernel: 'rntk' });
    }
    const inputs = (segments: number[][]) => ({
      values: Float64Array.from(segments.flatMap(padded)),
      dimension: T_fixed + T_var,
    });
    const inner = innerProducts(inputs(rows), rows === train ? null : inputs(train));
    if (result.kernel === 'rbf') return rbfGram(inner, { alpha: result.alpha_rbf! });
    if (result.kernel === 'poly') return polynomialGram(inner, { degree: result.d!, offset: result.r! });
    const { phi: activation, L: layers, sigma_w: sigmaW, sigma_b: sigmaB, sigma_v: sigmaV } = hyper.ntk;
    return perceptronGram(inner, { activation, layers, sigmaW, sigmaB, sigmaV }, 'ntk');
  });
  const alpha = ridgeCoefficients(kernelSpectrum(gram!), targetsOf(krr_sinusoid.train_start_length), result.ridge);
  for (const [i, value] of (result.alpha ?? []).entries()) {
    expect(Math.abs(alpha[i]! - value)).toBeLessThan(1e-6 * Math.abs(value) + 1e-9);
  }
  const predicted = ridgePredictions(cross!, alpha);
  for (const [i, value] of result.predictions_first_20.entries()) {
    expect(Math.abs(predicted[i]! - value)).toBeLessThan(1e-6 * Math.abs(value) + 1e-9);
  }
  const targets = targetsOf(krr_sinusoid.test_start_length);
  const squares = targets.map((target, i) => (target - predicted[i]!) ** 2);
  const mse = squares.reduce((sum, value) => sum + value, 0) / squares.length;
  expect(Math.abs(mse / result.mse - 1)).toBeLessThan(1e-6);
});
