import { describe, expect, test } from 'vitest';
import { neighbourRows } from '#workers/kernels/neighbours/neighbourRows.ts';
import { parallelNearestRows } from '#workers/kernels/neighbours/parallelNearestRows.ts';
import { patternKernel } from '#workers/kernels/pattern/patternKernel.ts';
import { sparseNearestRows } from '#workers/kernels/neighbours/sparseNearestRows.ts';
import { arcCosine } from '#workers/math/activations/arcCosine.ts';
import { polarAngle } from '#workers/math/activations/polarAngle.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { kernelsAreBuilt } from '#workers/wasm/calls/kernelModule.ts';
import { TensorHeap } from '#workers/wasm/memory/tensorHeap.ts';
import { compilePairs, instantiatePairs } from './compiledPairs.ts';
import { randomSequences, testQueries } from '#test/properties/randomSequences.ts';
import { slowness } from '#test/integration/support/slowness.ts';

const built = kernelsAreBuilt();
if (!built && process.env.CI === 'true') throw new Error('dist/kernels.wasm is not built');
if (!built) console.warn('skipped: dist/kernels.wasm is not built (npm run build)');

describe.runIf(built)('compiled kernels and their TypeScript reference implementations', () => {
  const compiled = compilePairs();

  test('give the same bits for inverse cosines, singly and two at once', async () => {
    const heap = new TensorHeap();
    const pairs = await instantiatePairs(compiled, heap.memory);
    const from = placeDoubles(heap, 2);
    const to = placeDoubles(heap, 2);
    const random = randomGenerator(3, 'cosines');
    const special = [-2, -1, -1 + 2 ** -53, -0.5, -1e-300, -0, 0, 1e-300, 0.5, 0.5 + 2 ** -53, 1 - 2 ** -53, 1, 2];
    for (let round = 0; round < 20_000; round++) {
      const pair = [special[round] ?? 2 * random.nextFloat() - 1, 1 - 10 ** (-16 * random.nextFloat())] as const;
      from.set(pair);
      pairs.arcCosine2Into(from.byteOffset, to.byteOffset);
      const expected = pair.map(arcCosine);
      expect([...to]).toEqual(expected);
      expect(pairs.arcCosine(pair[0])).toBe(expected[0]);
    }
  });

  test('give the same bits for polar angles', async () => {
    const heap = new TensorHeap();
    const pairs = await instantiatePairs(compiled, heap.memory);
    const from = placeDoubles(heap, 4);
    const to = placeDoubles(heap, 2);
    const random = randomGenerator(4, 'angles');
    const small = () => 10 ** (-20 * random.nextFloat());
    for (let round = 0; round < 20_000; round++) {
      const points = round === 0 ? [0, -1, 0, 0] : [random.normal() * small(), -small(), small(), random.nextFloat()];
      const [x, other, y, high] = points as [number, number, number, number];
      from.set([x, other, y, high]);
      pairs.polarAngle2Into(from.byteOffset, to.byteOffset);
      const expected = [polarAngle(x, y), polarAngle(other, high)];
      expect([...to]).toEqual(expected);
      expect(Math.abs(expected[0]! - Math.atan2(y, x))).toBeLessThanOrEqual(1e-15 * expected[0]!);
    }
  });

  test.each([
    ['rntk', 'exact', 1, 'relu'],
    ['nngp', 'exact', 3, 'relu'],
    ['rntk', 'exact', 2, 'erf'],
    ['rntk', 'exact', 2, 'linear'],
    ['rntk', 'author', 1, 'relu'],
    ['nngp', 'author', 1, 'relu'],
  ] as const)(
    'find the same rows with the same bits: %s %s, %i layers, %s',
    async (kernel, variant, layers, activation) => {
      const sequences = randomSequences(randomGenerator(11, 'sequences'), { users: 150, items: 30, longest: 70 });
      const maximumLength = 40;
      const rows = neighbourRows(sequences, (n) => ({ first: 1, last: n - 2 }), maximumLength);
      const queries = testQueries(sequences, maximumLength);
      const network = {
        activation,
        layers,
        sigmaW: Array.from({ length: layers }, (_, l) => 1.1 - 0.1 * l),
        sigmaU: 0.9,
        sigmaV: 1.2,
        sigmaB: 0.1,
        sigmaH: 0,
      } as const;
      const options = { kernel: patternKernel({ network, kernel, variant, maximumLength }), count: 12 };
      const expected = sparseNearestRows(rows, queries, options);
      for (const threads of [1, 3]) {
        const found = await parallelNearestRows(rows, queries, { ...options, threads });
        expect(found).toEqual(expected);
      }
      // Tables start with room for 4096 patterns: they have grown.
      expect(expected.distinctPatterns).toBeGreaterThan(4096);
    },
  );

  test('stop soon when asked to between queries, and leave no thread behind', async () => {
    const sequences = randomSequences(randomGenerator(12, 'sequences'), { users: 3000, items: 20, longest: 60 });
    const rows = neighbourRows(sequences, (n) => ({ first: 1, last: n - 2 }), 50);
    const network = { activation: 'relu', layers: 1, sigmaW: 1, sigmaU: 1, sigmaV: 1, sigmaB: 0, sigmaH: 0 } as const;
    const kernel = patternKernel({ network, kernel: 'rntk', variant: 'exact', maximumLength: 50 });
    const before = threadsOfThisProcess();
    const queries = testQueries(sequences, 50);
    let [asked, reached] = [0, 0];
    const search = parallelNearestRows(rows, queries, {
      kernel,
      count: 5,
      threads: 2,
      betweenQueries(done) {
        if (done === 0) return;
        [asked, reached] = [performance.now(), done];
        throw new Error('stop it');
      },
    });
    await expect(search).rejects.toThrow('stop it');
    expect(performance.now() - asked).toBeLessThan(1000 * slowness());
    expect(reached).toBeLessThan(queries.starts.length / 2);
    expect(threadsOfThisProcess()).toBe(before);
  });
});

/** Room for as many doubles. */
function placeDoubles(heap: TensorHeap, count: number): Float64Array {
  const address = heap.allocate(8 * count);
  return new Float64Array(heap.memory.buffer, address, count);
}

/** Worker threads alive in this process. */
function threadsOfThisProcess(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'MessagePort' || name === 'Worker').length;
}
