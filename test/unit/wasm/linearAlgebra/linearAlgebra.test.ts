import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EigenpairsNotConverged } from '#workers/math/dense/eigenpairs.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { sparseFromTriplets } from '#workers/math/sparse/sparseFromTriplets.ts';
import type { SparseMatrix } from '#workers/math/sparse/sparseMatrix.ts';
import { sparseProduct } from '#workers/math/sparse/sparseProduct.ts';
import { symmetricEigen } from '#workers/math/dense/symmetricEigen.ts';
import { symmetricNormalisation } from '#workers/math/sparse/symmetricNormalisation.ts';
import { denseSymmetricEigen } from '#workers/wasm/linearAlgebra/denseSymmetricEigen.ts';
import { kernelsAreBuilt } from '#workers/wasm/calls/kernelModule.ts';
import { NumericThreads } from '#workers/wasm/threads/numericThreads.ts';
import { rowShares } from '#workers/wasm/linearAlgebra/rowShares.ts';
import { sparseEigenpairs } from '#workers/wasm/linearAlgebra/sparseEigenpairs.ts';
import { SparseOperand } from '#workers/wasm/linearAlgebra/sparseOperand.ts';
import { SymmetricOperand } from '#workers/wasm/linearAlgebra/symmetricOperand.ts';
import { truncatedSvd } from '#workers/wasm/linearAlgebra/truncatedSvd.ts';

const built = kernelsAreBuilt();
if (!built && process.env.CI === 'true') throw new Error('dist/kernels.wasm is not built');
if (!built) console.warn('skipped: dist/kernels.wasm is not built (npm run build)');

function randomSparse(rowCount: number, columnCount: number, entries: number): SparseMatrix {
  const generator = randomGenerator(7, 'sparse');
  const draw = (count: number) => Array.from({ length: entries }, () => generator.nextInt(count));
  const values = Array.from({ length: entries }, () => generator.normal());
  return sparseFromTriplets({ rowCount, columnCount, rows: draw(rowCount), columns: draw(columnCount), values });
}

/** Some entries on the diagonal, rows without any. */
function randomSymmetric(size: number): SparseMatrix {
  const { offsets, columns, values } = randomSparse(size, size, 3 * size);
  const [rows, others, both]: [number[], number[], number[]] = [[], [], []];
  for (let row = 0; row < size; row++) {
    for (let at = offsets[row]!; at < offsets[row + 1]!; at++) {
      const column = columns[at]!;
      if (row % 7 === 3 || column % 7 === 3) continue;
      rows.push(row, column);
      others.push(column, row);
      both.push(values[at]!, values[at]!);
    }
  }
  return sparseFromTriplets({ rowCount: size, columnCount: size, rows, columns: others, values: both });
}

/** `copies` circles of `length` nodes: eigenvalues cos(2 π j / length), each `copies` times, and twice that for most j. */
function circles(copies: number, length: number): SparseMatrix {
  const rows: number[] = [];
  const columns: number[] = [];
  for (let node = 0; node < copies * length; node++) {
    const next = node % length === length - 1 ? node - length + 1 : node + 1;
    rows.push(node, next);
    columns.push(next, node);
  }
  return symmetricNormalisation(
    sparseFromTriplets({ rowCount: copies * length, columnCount: copies * length, rows, columns }),
  );
}

function circleEigenvalues(copies: number, length: number): number[] {
  const one = Array.from({ length }, (_, j) => Math.cos((2 * Math.PI * j) / length));
  return Array.from({ length: copies }, () => one)
    .flat()
    .sort((a, b) => b - a);
}

function largestOffIdentity(vectors: Float64Array, n: number, count: number): number {
  let largest = 0;
  for (let a = 0; a < count; a++) {
    for (let b = 0; b <= a; b++) {
      let sum = a === b ? -1 : 0;
      for (let row = 0; row < n; row++) sum += vectors[row * count + a]! * vectors[row * count + b]!;
      largest = Math.max(largest, Math.abs(sum));
    }
  }
  return largest;
}

describe.runIf(built)('linear algebra on threads', () => {
  let threads: NumericThreads;
  beforeAll(async () => {
    threads = await NumericThreads.open(2);
  });
  afterAll(() => threads.close());

  test.each([1, 3, 4, 7, 16, 31, 64])(
    'sparse products of width %i agree with the plain reference implementation in both precisions',
    (width) => {
      const matrix = randomSparse(61, 47, 900);
      const x = Float64Array.from({ length: 47 * width }, (_, i) => Math.cos(i));
      const scope = threads.scope();
      const y = scope.reserve(8 * 61 * width);
      new SparseOperand(scope, matrix).multiply(scope.place(x), y, width);
      expect([...scope.doubles(y, 61 * width)]).toEqual([...sparseProduct(matrix, x, width)]);
      const single = { ...matrix, values: Float32Array.from(matrix.values) };
      new SparseOperand(scope, single).multiply(scope.place(Float32Array.from(x)), y, width);
      const expected = sparseProduct(single, Float32Array.from(x), width);
      for (const [i, value] of scope.floats(y, 61 * width).entries()) expect(value).toBeCloseTo(expected[i]!, 4);
      scope.release();
      expect(threads.heap.bytesInUse).toBe(0);
    },
  );

  test.each([1, 2, 3])(
    'a step of a recurrence with a symmetric matrix agrees with plain products on %i lanes, in place too',
    async (lanes) => {
      const own = await NumericThreads.open(lanes);
      const scope = own.scope();
      try {
        for (const size of [1, 5, 83, 4100]) {
          const matrix = randomSymmetric(size);
          const block = (shift: number) => Float64Array.from({ length: 4 * size }, (_, i) => Math.cos(i + shift));
          const [now, before] = [block(0), block(9)];
          const product = sparseProduct(matrix, now, 4);
          const expected = product.map((value, i) => 1.5 * value - 0.3 * now[i]! + 0.7 * before[i]!);
          const operand = new SymmetricOperand(scope, matrix);
          const [x, z, y] = [scope.place(now), scope.place(before), scope.reserve(32 * size)];
          operand.recur([1.5, -0.3, 0.7], x, z, y);
          operand.recur([1.5, -0.3, 0.7], x, z, z);
          for (const found of [y, z]) {
            const apart = scope.doubles(found, 4 * size).map((value, i) => Math.abs(value - expected[i]!));
            expect(Math.max(...apart)).toBeLessThan(1e-12);
          }
        }
      } finally {
        scope.release();
        await own.close();
      }
    },
  );

  test('rows are shared out by entries', () => {
    const offsets = Uint32Array.from({ length: 101 }, (_, row) => (row < 10 ? row * 1000 : 10_000 + row));
    const shares = rowShares(offsets, 2);
    expect([shares[0], shares[2]]).toEqual([0, 100]);
    expect(shares[1]).toBeLessThan(10);
  });

  test('the dense eigendecomposition agrees with its reference implementation and with A q = λ q', () => {
    for (const n of [1, 2, 3, 40, 330]) {
      const generator = randomGenerator(n, 'dense');
      const a = new Float64Array(n * n);
      for (let i = 0; i < n; i++) for (let j = 0; j <= i; j++) a[i * n + j] = a[j * n + i] = generator.normal();
      const { values, vectors } = denseSymmetricEigen(threads, a, n);
      const transposed = Float64Array.from({ length: n * n }, (_, at) => vectors[(at % n) * n + Math.floor(at / n)]!);
      expect(largestOffIdentity(transposed, n, n)).toBeLessThan(1e-12);
      for (let pair = 0; pair < n; pair++) {
        for (let row = 0; row < n; row += 7) {
          let sum = 0;
          for (let k = 0; k < n; k++) sum += a[row * n + k]! * vectors[pair * n + k]!;
          expect(Math.abs(sum - values[pair]! * vectors[pair * n + row]!)).toBeLessThan(1e-11);
        }
      }
      const reference = symmetricEigen(a, n);
      for (let i = 0; i < n; i++) expect(values[i]).toBeCloseTo(reference.values[i]!, 11);
    }
  });

  test('multiple eigenvalues of a disconnected graph are all found, at either end', async () => {
    const [copies, length, count] = [12, 40, 40];
    const expected = circleEigenvalues(copies, length);
    for (const end of ['largest', 'smallest'] as const) {
      const found = await sparseEigenpairs(threads, circles(copies, length), { count, end, tolerance: 1e-10, seed: 3 });
      const wanted = end === 'largest' ? expected.slice(0, count) : expected.slice(-count).reverse();
      for (let i = 0; i < count; i++) expect(found.values[i]).toBeCloseTo(wanted[i]!, 9);
      expect(Math.max(...found.residuals)).toBeLessThan(1e-10);
      expect(largestOffIdentity(found.vectors, copies * length, count)).toBeLessThan(1e-10);
    }
  });

  test('equal seeds give equal bits, and every vector has its largest component positive', async () => {
    const matrix = circles(3, 150);
    const request = { count: 9, end: 'largest', tolerance: 1e-9, seed: 1 } as const;
    const first = await sparseEigenpairs(threads, matrix, request);
    expect(await sparseEigenpairs(threads, matrix, request)).toEqual(first);
    for (let pair = 0; pair < 9; pair++) {
      const column = Array.from({ length: 450 }, (_, row) => first.vectors[row * 9 + pair]!);
      const largest = Math.max(...column.map(Math.abs));
      expect(column.find((value) => Math.abs(value) >= largest * (1 - 1e-8))).toBeGreaterThan(0);
    }
  });

  test('a search that is out of products keeps what converged; one that is cancelled stops; bad requests are refused', async () => {
    const matrix = circles(1, 900);
    const request = { count: 16, end: 'largest', tolerance: 1e-13, maximumProducts: 1 } as const;
    const failure = await sparseEigenpairs(threads, matrix, request).catch((thrown: unknown) => thrown);
    expect(failure).toBeInstanceOf(EigenpairsNotConverged);
    const { partial, message } = failure as EigenpairsNotConverged;
    expect(message).toContain(`${partial.values.length} of 16`);
    expect(partial.vectors.length).toBe(900 * partial.values.length);
    const signal = AbortSignal.abort();
    await expect(sparseEigenpairs(threads, matrix, { ...request, signal })).rejects.toThrow('cancelled');
    await expect(sparseEigenpairs(threads, matrix, { ...request, count: 901 })).rejects.toThrow('from 1 to 900');
    expect(threads.heap.bytesInUse).toBe(0);
  });

  test.each([
    [400, 300, 8],
    [60, 90, 20],
  ])(
    'the truncated SVD of a %i × %i matrix has orthonormal vectors with A v = σ u, A′u = σ v',
    async (rows, columns, rank) => {
      const matrix = randomSparse(rows, columns, 3000);
      const { values, left, right } = await truncatedSvd(threads, matrix, { rank });
      expect(largestOffIdentity(left, rows, rank)).toBeLessThan(1e-9);
      expect(largestOffIdentity(right, columns, rank)).toBeLessThan(1e-9);
      const product = sparseProduct(matrix, right, rank);
      for (let at = 0; at < product.length; at++) expect(product[at]).toBeCloseTo(values[at % rank]! * left[at]!, 8);
      expect([...values].sort((a, b) => b - a)).toEqual([...values]);
    },
  );
});
