import { expect, test } from 'vitest';
import { patternKernel } from '#workers/kernels/pattern/patternKernel.ts';
import type { PatternKernelOptions } from '#workers/kernels/pattern/patternKernelTables.ts';

const options: PatternKernelOptions = {
  network: { activation: 'relu', layers: 1, sigmaW: 1, sigmaU: 1, sigmaV: 1, sigmaB: 0, sigmaH: 0 },
  kernel: 'rntk',
  variant: 'exact',
  maximumLength: 40,
};

test('equal single items: variance 1, so NNGP 1/2 and RNTK 1', () => {
  const one = Uint32Array.of(1, 0);
  expect(patternKernel(options).value(1, 1, one, 0)).toBe(1);
  expect(patternKernel({ ...options, kernel: 'nngp' }).value(1, 1, one, 0)).toBe(0.5);
});

test('different single items: NNGP 1 / (2 pi)', () => {
  const none = Uint32Array.of(0, 0);
  expect(patternKernel({ ...options, kernel: 'nngp' }).value(1, 1, none, 0)).toBeCloseTo(1 / (2 * Math.PI), 15);
});

test('the kernel is symmetric in its two sequences', () => {
  const kernel = patternKernel({ ...options, network: { ...options.network, layers: 2, sigmaB: 0.1 } });
  for (const mask of [0b1, 0b10110, 0b10001]) {
    expect(kernel.value(5, 33, Uint32Array.of(mask, 0), 0)).toBe(kernel.value(33, 5, Uint32Array.of(mask, 0), 0));
  }
});

test('a match beyond the first 32 places counts', () => {
  const kernel = patternKernel({ ...options, network: { ...options.network, sigmaW: 2 } });
  expect(kernel.value(40, 40, Uint32Array.of(0, 1), 0)).toBeGreaterThan(kernel.value(40, 40, Uint32Array.of(0, 0), 0));
});

test('what a variant cannot do, and variances that overflow, are refused', () => {
  const withNetwork =
    (network: Partial<PatternKernelOptions['network']>, over: Partial<PatternKernelOptions> = {}) =>
    () =>
      patternKernel({ ...options, ...over, network: { ...options.network, ...network } });
  expect(withNetwork({ activation: 'erf' }, { variant: 'author' })).toThrow(/relu only/);
  expect(withNetwork({ activation: 'gelu' })).toThrow(/quadrature/);
  expect(withNetwork({ sigmaU: -1 })).toThrow(/at least 0; got -1/);
  expect(withNetwork({ layers: 2, sigmaU: [1, 2, 3] })).toThrow(/3 values for 2 layers/);
  expect(withNetwork({ layers: 0 })).toThrow(/positive integer/);
  expect(withNetwork({ layers: 2 }, { variant: 'author' })).toThrow(/one layer/);
  expect(withNetwork({ sigmaH: 1 }, { variant: 'author' })).toThrow(/sigmaH/);
  expect(withNetwork({ sigmaW: 10 }, { maximumLength: 500 })).toThrow(/overflow/);
});
