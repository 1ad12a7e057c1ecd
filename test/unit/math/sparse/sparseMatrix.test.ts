import { expect, test } from 'vitest';
import { AliasTable, drawCategorical } from '#workers/math/random/aliasTable.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { sparseFromTriplets } from '#workers/math/sparse/sparseFromTriplets.ts';
import { checkSparseMatrix, checkSymmetric } from '#workers/math/sparse/sparseMatrix.ts';
import { sparseProduct } from '#workers/math/sparse/sparseProduct.ts';
import { sparseRowSums, symmetricNormalisation } from '#workers/math/sparse/symmetricNormalisation.ts';
import { transposeSparse } from '#workers/math/sparse/transposeSparse.ts';

const triplets = { rows: [2, 0, 1, 0, 2], columns: [0, 3, 1, 0, 0], values: [4, 2, 3, 1, 0.5] };
const matrix = sparseFromTriplets({ rowCount: 3, columnCount: 4, ...triplets });

test('triplets in any order become rows with ascending columns, repeated places added', () => {
  expect([...matrix.offsets]).toEqual([0, 2, 3, 4]);
  expect([...matrix.columns]).toEqual([0, 3, 1, 0]);
  expect([...matrix.values]).toEqual([1, 2, 3, 4.5]);
  expect(() => checkSparseMatrix(matrix)).not.toThrow();
});

test('triplets outside are refused with their place', () => {
  expect(() => sparseFromTriplets({ rowCount: 2, columnCount: 2, rows: [0], columns: [2] })).toThrow('(0, 2)');
});

test('the transpose of the transpose is the matrix, and products agree with sums by hand', () => {
  expect(transposeSparse(transposeSparse(matrix))).toEqual(matrix);
  const x = Float64Array.of(1, 10, 2, 20, 3, 30, 4, 40);
  expect([...sparseProduct(matrix, x, 2)]).toEqual([9, 90, 6, 60, 4.5, 45]);
});

test('malformed rows, values that are not finite and asymmetry are refused', () => {
  expect(() => checkSparseMatrix({ ...matrix, columns: Uint32Array.of(3, 0, 1, 0) })).toThrow('ascending');
  expect(() => checkSparseMatrix({ ...matrix, values: Float64Array.of(1, Number.NaN, 3, 4) })).toThrow(
    'row 0, column 3',
  );
  const lopsided = sparseFromTriplets({ rowCount: 2, columnCount: 2, rows: [0, 1], columns: [1, 0], values: [1, 2] });
  expect(() => checkSymmetric(lopsided)).toThrow('symmetric');
  expect(() => checkSymmetric(sparseFromTriplets({ rowCount: 2, columnCount: 2, rows: [0], columns: [1] }))).toThrow(
    'no entry',
  );
});

test('the normalised adjacency of a regular graph has row sums 1, and an isolated node keeps an empty row', () => {
  const rows = [0, 1, 1, 2, 2, 0];
  const columns = [1, 0, 2, 1, 0, 2];
  const cycle = symmetricNormalisation(sparseFromTriplets({ rowCount: 4, columnCount: 4, rows, columns }));
  expect([...sparseRowSums(cycle)].map((sum) => Number(sum.toFixed(12)))).toEqual([1, 1, 1, 0]);
});

test('alias draws and categorical draws come in proportion to their weights, never where the weight is 0', () => {
  const weights = [1, 0, 3, 6];
  const table = new AliasTable(weights);
  const generator = randomGenerator(5, 'alias');
  for (const draw of [() => table.draw(generator), () => drawCategorical(generator, weights, 10)]) {
    const counts = [0, 0, 0, 0];
    for (let i = 0; i < 50_000; i++) counts[draw()]! += 1;
    expect(counts[1]).toBe(0);
    // five standard deviations of a binomial count
    for (const [i, weight] of weights.entries()) expect(Math.abs(counts[i]! - 5000 * weight)).toBeLessThan(560);
  }
  expect(() => new AliasTable([1, -1])).toThrow('weight 1');
  expect(() => new AliasTable([0, 0])).toThrow('above 0');
});
