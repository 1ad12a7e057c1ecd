import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NumericThreads } from '#workers/wasm/threads/numericThreads.ts';
import { recurrentGram } from '#workers/kernels/recurrent/recurrentGram.ts';
import type { RecurrentKernelParameters } from '#workers/kernels/recurrent/recurrentKernelParameters.ts';
import { seriesSet } from '#workers/kernels/recurrent/seriesSet.ts';
import { vectorGram, vectorSet } from '#workers/kernels/recurrent/vectorGram.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { kernelsAreBuilt } from '#workers/wasm/calls/kernelModule.ts';

const built = kernelsAreBuilt();
if (!built && process.env.CI === 'true') throw new Error('dist/kernels.wasm is not built');
if (!built) console.warn('skipped: dist/kernels.wasm is not built (npm run build)');

const network: RecurrentKernelParameters = {
  activation: 'relu',
  layers: 2,
  sigmaW: [1.3, 0.9],
  sigmaU: [0.8, 1.2],
  sigmaV: 1.1,
  sigmaB: [0.2, 0],
  sigmaH: [0.5, 0.3],
};
const options = { network, kernel: 'rntk' } as const;

function noise(name: string, count: number, dimension: number, shortest: number, longest: number) {
  const random = randomGenerator(9, name);
  return seriesSet(
    Array.from({ length: count }, () => {
      const steps = shortest + random.nextInt(longest - shortest + 1);
      return Float64Array.from({ length: steps * dimension }, () => random.normal());
    }),
    dimension,
  );
}

describe.runIf(built)('compiled Gram matrices', () => {
  let engine: NumericThreads | null = null;
  beforeAll(async () => {
    engine = await NumericThreads.openIfBuilt(2);
  });
  afterAll(async () => engine?.close());

  test.each(['relu', 'erf', 'linear'] as const)(
    '%s: ragged vectors, layers of their own variances, as the reference implementation',
    (activation) => {
      const given = { ...options, network: { ...network, activation } };
      const rows = noise('rows', 37, 3, 1, 20);
      const columns = noise('columns', 21, 3, 2, 30);
      for (const sets of [
        { rows, columns: null },
        { rows, columns },
      ]) {
        const expected = recurrentGram(null, sets, given).values;
        const found = recurrentGram(engine, sets, given).values;
        const inTiles = recurrentGram(engine, sets, { ...given, tileBytes: 8000 }).values;
        for (const [at, value] of expected.entries()) {
          expect(Math.abs(found[at]! - value)).toBeLessThanOrEqual(1e-11 * Math.max(1, Math.abs(value)));
        }
        expect(inTiles).toEqual(found);
      }
      expect(engine?.heap.bytesInUse).toBe(0);
    },
  );

  test('copies of a series are collinear: their values are those of the reference implementation, next to a kink of ReLU', () => {
    const one = noise('one', 1, 1, 60, 60).values;
    const rows = seriesSet([one, one, one.map((value) => -value), one.slice(5)]);
    const given = { ...options, network: { ...network, layers: 1, sigmaW: 1.4, sigmaU: 1, sigmaB: 0.1, sigmaH: 0 } };
    const [found, expected] = [engine, null].map((by) => recurrentGram(by, { rows, columns: null }, given).values);
    for (const [at, value] of expected!.entries()) {
      expect(Math.abs(found![at]! - value)).toBeLessThanOrEqual(1e-10 * Math.abs(value));
    }
  });

  test.each([
    [1, 1, 200],
    [50, 10, 1],
    [300, 3, 5],
  ])('copies of %i numbers a step through %i layers and %i steps count as collinear', (dimension, layers, steps) => {
    const once = noise('twice', 6, dimension, steps, steps);
    const each = Array.from({ length: 12 }, (_, i) => {
      const from = Math.floor(i / 2) * steps * dimension;
      return once.values.slice(from, from + steps * dimension);
    });
    const rows = seriesSet(each, dimension);
    const given = { ...options, network: { ...network, layers, sigmaW: 1.3, sigmaU: 1, sigmaB: 0, sigmaH: 0 } };
    const { values } = recurrentGram(engine, { rows, columns: null }, given);
    for (let i = 0; i < 12; i += 2) {
      expect(Math.abs(values[i * 12 + i + 1]! / values[i * 12 + i]! - 1)).toBeLessThanOrEqual(1e-12);
    }
  });

  test('progress rises from 0 to below 1', () => {
    const shares: number[] = [];
    const betweenBlocks = (done: number) => void shares.push(done);
    recurrentGram(engine, { rows: noise('many', 300, 1, 100, 100), columns: null }, { ...options, betweenBlocks });
    expect(shares.length).toBeGreaterThan(1);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(shares[0]).toBe(0);
    expect(shares.at(-1)).toBeLessThan(1);
  });
});

test('bad series and sigmas are refused, saying where', () => {
  expect(() => seriesSet([[1, 2], []])).toThrow(expect.objectContaining({ code: 'BAD_INPUT', path: 'series 1' }));
  expect(() => seriesSet([[1, 2, 3]], 2)).toThrow(/no whole number of steps/);
  expect(() => seriesSet([[1], [2, Number.NaN, 3]])).toThrow(/NaN at time step 1/);
  expect(() => vectorSet([[1, 2], [1]])).toThrow(/vectors of one size/);
  const rows = seriesSet([[1, 2, 3], [4]]);
  const withNetwork = (over: Partial<RecurrentKernelParameters>) => () =>
    recurrentGram(null, { rows, columns: null }, { ...options, network: { ...network, ...over } });
  expect(withNetwork({ sigmaV: -1 })).toThrow(/sigmaV.*at least 0; got -1/);
  expect(withNetwork({ sigmaB: [0.1, Number.NaN] })).toThrow(/sigmaB/);
  expect(withNetwork({ sigmaW: [1] })).toThrow(/1 values for 2 layers/);
  const other = seriesSet([[1, 2]], 2);
  expect(() => recurrentGram(null, { rows, columns: other }, options)).toThrow(
    /rows have 1 numbers a time step, columns 2/,
  );
  expect(() => vectorGram(null, { rows, columns: null }, { kernel: { name: 'linear' } })).toThrow(/several time steps/);
});

test('a matrix that does not fit says how much it needs and what would help', () => {
  const rows = seriesSet(Array.from({ length: 100 }, () => [1]));
  expect(() => recurrentGram(null, { rows, columns: null }, { ...options, limitBytes: 20_000 })).toThrow(
    expect.objectContaining({
      code: 'OUT_OF_MEMORY',
      message: expect.stringMatching(/100 x 100 takes .* at most 50 series$/),
    }),
  );
});

test('other activations go by quadrature: the plain reference implementation computes them', () => {
  const rows = seriesSet([
    [0.5, -1],
    [1, 0.2],
  ]);
  const gram = recurrentGram(
    null,
    { rows, columns: null },
    { kernel: 'rntk', network: { ...network, activation: 'tanh' } },
  );
  expect(gram.values[1]).toBe(gram.values[2]);
  expect(gram.values[0]! * gram.values[3]!).toBeGreaterThan(gram.values[1]! ** 2);
});
