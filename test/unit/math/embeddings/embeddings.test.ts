import { describe, expect, test } from 'vitest';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { singularValues } from '#workers/math/dense/singularValues.ts';
import { nearestOfAll, nearestRows, unitRows } from '#workers/math/embeddings/cosineNeighbours.ts';
import { linearAlignment } from '#workers/math/embeddings/linearAlignment.ts';
import { neighbourOverlap } from '#workers/math/embeddings/neighbourOverlap.ts';
import type { NumberTable } from '#workers/math/embeddings/numberTable.ts';
import { principalComponents } from '#workers/math/embeddings/principalComponents.ts';
import { movedOnto, procrustesFit } from '#workers/math/embeddings/procrustes.ts';

function drawn(rows: number, columns: number, purpose: string): NumberTable & { values: Float64Array } {
  const generator = randomGenerator(5, purpose);
  return { rows, columns, values: Float64Array.from({ length: rows * columns }, () => generator.nextFloat() - 0.4) };
}

describe('geometry of embeddings', () => {
  test('a singular value decomposition gives its matrix back and is orthonormal, of full rank or not', () => {
    const n = 9;
    const full = drawn(n, n, 'full').values;
    const narrow = drawn(n, 4, 'narrow').values;
    // rank 4
    const low = Float64Array.from({ length: n * n }, (_, at) => {
      let sum = 0;
      for (let i = 0; i < 4; i++) sum += narrow[Math.floor(at / n) * 4 + i]! * narrow[(at % n) * 4 + i]!;
      return sum;
    });
    for (const matrix of [full, low, new Float64Array(n * n)]) {
      const { values, left, right } = singularValues(matrix, n);
      for (let i = 0; i < n; i++) {
        for (let j = 0; j < n; j++) {
          let [entry, ofLeft, ofRight] = [0, 0, 0];
          for (let k = 0; k < n; k++) {
            entry += values[k]! * left[k * n + i]! * right[k * n + j]!;
            ofLeft += left[i * n + k]! * left[j * n + k]!;
            ofRight += right[i * n + k]! * right[j * n + k]!;
          }
          expect(Math.abs(entry - matrix[i * n + j]!)).toBeLessThan(1e-12);
          expect(Math.abs(ofLeft - (i === j ? 1 : 0))).toBeLessThan(1e-12);
          expect(Math.abs(ofRight - (i === j ? 1 : 0))).toBeLessThan(1e-12);
        }
      }
      expect([...values]).toEqual([...values].sort((a, b) => b - a));
    }
  });

  test('a turned, stretched and shifted copy is the same embedding', () => {
    const fixed = drawn(50, 6, 'fixed');
    const { right } = singularValues(drawn(6, 6, 'turn').values, 6);
    const moved: NumberTable = { ...fixed, values: new Float64Array(fixed.values.length) };
    for (let row = 0; row < 50; row++) {
      for (let j = 0; j < 6; j++) {
        let sum = 0;
        for (let i = 0; i < 6; i++) sum += fixed.values[row * 6 + i]! * right[i * 6 + j]!;
        moved.values[row * 6 + j] = 3 * sum + j;
      }
    }
    const fit = procrustesFit(moved, fixed);
    expect(fit.disparity).toBeLessThan(1e-12);
    expect(Math.abs(fit.scale - 1 / 3)).toBeLessThan(1e-12);
    const back = movedOnto(moved, fit).values;
    for (const [at, value] of fixed.values.entries()) expect(Math.abs(back[at]! - value)).toBeLessThan(1e-10);
    expect(Math.abs(linearAlignment(fixed, moved) - 1)).toBeLessThan(1e-12);
  });

  test('equally near rows come by their number, and a row of zeros is at right angles to all', () => {
    const table: NumberTable = { rows: 5, columns: 2, values: Float64Array.of(1, 0, 0, 0, 2, 0, 3, 0, 0, 1) };
    const { rows, cosines } = nearestRows(unitRows(table), 0, 10);
    expect([...rows]).toEqual([2, 3, 1, 4]);
    expect([...cosines]).toEqual([1, 1, 0, 0]);
  });

  test('comparing all with all finds for each row what comparing it alone finds', () => {
    const unit = unitRows(drawn(150, 7, 'tiles'));
    const all = nearestOfAll(unit, 9);
    for (let row = 0; row < 150; row++) {
      const { rows, cosines } = nearestRows(unit, row, 9);
      expect([...all.rows.subarray(row * 9, row * 9 + 9)]).toEqual([...rows]);
      for (const [place, cosine] of cosines.entries()) expect(all.cosines[row * 9 + place]).toBeCloseTo(cosine, 12);
    }
  });

  test('the same table agrees with itself, unrelated ones as by chance', () => {
    const [a, b] = [unitRows(drawn(300, 8, 'a')), unitRows(drawn(300, 8, 'b'))];
    const looked = Array.from({ length: 300 }, (_, row) => row);
    expect(neighbourOverlap([a, a], looked, 10)).toMatchObject({ overlap: 1, jaccard: 1 });
    const { overlap, chance } = neighbourOverlap([a, b], looked, 10);
    // five standard errors of 3000 shares
    expect(Math.abs(overlap - chance)).toBeLessThan(5 * Math.sqrt((chance * (1 - chance)) / 3000));
  });

  test('fewer columns than axes are asked for give as many as there are', () => {
    const found = principalComponents({ rows: 4, columns: 1, values: Float64Array.of(1, 2, 3, 4) }, 3);
    expect([...found.axes]).toEqual([1]);
    expect(found.variances[0]).toBeCloseTo(5 / 3, 12);
  });
});
