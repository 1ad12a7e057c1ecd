import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tf } from '#workers/tensor/tf.ts';
import { setArithmetic } from '#workers/wasm/calls/kernelModule.ts';
import { ARITHMETICS_HERE } from './backends.ts';
import { type OpenWasmBackend, openWasmBackend } from '#workers/tensor/wasm/openWasmBackend.ts';

/** By its series below 3, by its continued fraction above. */
function erf(x: number): number {
  const a = Math.abs(x);
  if (a < 3) {
    let [term, sum] = [a, a];
    for (let n = 1; n < 200; n++) {
      term *= (-a * a) / n;
      sum += term / (2 * n + 1);
    }
    return (Math.sign(x) * 2 * sum) / Math.sqrt(Math.PI);
  }
  let fraction = 0;
  for (let k = 100; k > 0; k--) fraction = k / 2 / (a + fraction);
  return Math.sign(x) * (1 - Math.exp(-a * a) / Math.sqrt(Math.PI) / (a + fraction));
}

/** One unit of the last place of a float near `value`. */
function unit(value: number): number {
  const magnitude = Math.abs(value);
  return magnitude < 2 ** -126 ? 2 ** -149 : 2 ** (Math.floor(Math.log2(magnitude)) - 23);
}

describe.each(ARITHMETICS_HERE)('with %s products', (arithmetic) => {
  let opened: OpenWasmBackend;
  beforeAll(async () => {
    setArithmetic(arithmetic);
    opened = await openWasmBackend(1);
  });
  afterAll(() => opened.close());

  test.each([
    ['exp', tf.exp, Math.exp, [-104, 88.7], 2],
    ['exp', tf.exp, Math.exp, [-1, 1], 2],
    ['log', tf.log, Math.log, [0.5, 2], 2],
    ['log', tf.log, Math.log, [1e-30, 1e30], 2],
    ['log', tf.log, Math.log, [1e-40, 1e-38], 2],
    ['tanh', tf.tanh, Math.tanh, [-10, 10], 2],
    ['tanh', tf.tanh, Math.tanh, [-0.7, 0.7], 2],
    ['sigmoid', tf.sigmoid, (x) => 1 / (1 + Math.exp(-x)), [-87, 87], 3],
    ['sigmoid', tf.sigmoid, (x) => 1 / (1 + Math.exp(-x)), [-3, 3], 3],
    ['erf', tf.erf, erf, [-5, 5], 2],
    ['erf', tf.erf, erf, [-1, 1], 2],
    ['softplus', tf.softplus, (x) => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x))), [-40, 40], 4],
  ] as readonly [string, (x: tf.Tensor) => tf.Tensor, (x: number) => number, [number, number], number][])(
    '%s over %o is right to %i units of the last place',
    (_name, compute, truth, [low, high], allowed) => {
      const given = Float32Array.from({ length: 40_001 }, (_, n) => low + ((high - low) * n) / 40_000);
      const values = tf.tidy(() => compute(tf.tensor1d(given)).dataSync());
      const worst = given.reduce((most, x, index) => {
        const wanted = truth(x);
        return Math.max(most, Math.abs(values[index]! - wanted) / unit(wanted));
      }, 0);
      expect(worst).toBeLessThanOrEqual(allowed);
    },
  );

  test('limits and what is no number come out as they should', () => {
    const given = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, -1];
    const valuesOf = (compute: (x: tf.Tensor) => tf.Tensor) =>
      tf.tidy(() => [...compute(tf.tensor1d(given)).dataSync()]);
    const { NaN: none, POSITIVE_INFINITY: infinity } = Number;
    expect(valuesOf(tf.exp)).toEqual([none, infinity, 0, 1, Math.fround(Math.exp(-1))]);
    expect(valuesOf(tf.log)).toEqual([none, infinity, none, -infinity, none]);
    expect(valuesOf(tf.tanh).slice(0, 4)).toEqual([none, 1, -1, 0]);
    expect(valuesOf(tf.sigmoid).slice(0, 4)).toEqual([none, 1, 0, 0.5]);
    expect(valuesOf(tf.erf).slice(0, 4)).toEqual([none, 1, -1, 0]);
    expect(valuesOf(tf.relu)).toEqual([none, infinity, 0, 0, 0]);
  });
});
