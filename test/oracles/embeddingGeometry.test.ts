import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { nearestOfAll, nearestRows, unitRows } from '#workers/math/embeddings/cosineNeighbours.ts';
import { linearAlignment } from '#workers/math/embeddings/linearAlignment.ts';
import { matchRows, selectRows } from '#workers/math/embeddings/matchRows.ts';
import { neighbourOverlap } from '#workers/math/embeddings/neighbourOverlap.ts';
import type { NumberTable } from '#workers/math/embeddings/numberTable.ts';
import { alongAxes, principalComponents } from '#workers/math/embeddings/principalComponents.ts';
import { movedOnto, procrustesFit } from '#workers/math/embeddings/procrustes.ts';
import embeddingGeometry from './embeddingGeometry.json';

const number = z.number();
const numbers = z.array(number);
const table = z.array(numbers);
const oracle = z
  .object({
    cases: z.array(
      z.object({
        states: z.tuple([number, number]),
        rows: number,
        columns: z.tuple([number, number]),
        count: number,
        variances: numbers,
        total: number,
        axes: table,
        places: table,
        cka: number,
        nearest: table,
        cosines: table,
        overlap: number,
        jaccard: number,
        disparity: number,
        moved: table,
      }),
    ),
    matched: z.array(
      z.object({
        states: z.tuple([number, number]),
        rows: z.tuple([number, number]),
        columns: z.tuple([number, number]),
        count: number,
        ids: z.tuple([z.tuple([number, number, number]), z.tuple([number, number, number])]),
        pairs: z.array(z.tuple([number, number])),
        cka: number,
        overlap: number,
        jaccard: number,
        disparity: number,
        moved: table,
      }),
    ),
  })
  .parse(embeddingGeometry);

/** The generator of the script that made the file. */
function drawn(state: number, rows: number, columns: number): NumberTable {
  const values = new Float64Array(rows * columns);
  for (let at = 0; at < values.length; at++) {
    state = (state * 16807) % 2147483647;
    values[at] = ((state / 2147483647 - 0.3) * (1 + (at % columns))) / columns;
  }
  return { rows, columns, values };
}

function expectClose(found: ArrayLike<number>, wanted: readonly number[], tolerance: number): void {
  for (const [at, value] of wanted.entries()) expect(Math.abs(found[at]! - value)).toBeLessThan(tolerance);
}

describe.each(oracle.cases)('embeddings of $rows rows, $columns columns', (wanted) => {
  const { rows, count, states, columns } = wanted;
  const x = drawn(states[0], rows, columns[0]);
  const y = drawn(states[1], rows, columns[1]);
  const shared = Math.min(...columns);
  for (let row = 0; row < rows; row++) {
    for (let i = 0; i < shared; i++) {
      y.values[row * columns[1] + i]! += x.values[row * columns[0] + shared - 1 - i]!;
    }
  }

  test('principal components are those of a singular value decomposition', () => {
    const found = principalComponents(x, 3);
    expectClose(found.variances, wanted.variances, 1e-12);
    expect(Math.abs(found.total - wanted.total)).toBeLessThan(1e-12);
    expectClose(found.axes, wanted.axes.flat(), 1e-8);
    expectClose(alongAxes(x, found), wanted.places.flat(), 1e-8);
  });

  test('the nearest by cosine are those of scipy', () => {
    const unit = unitRows(x);
    const all = nearestOfAll(unit, count);
    for (const [row, nearest] of wanted.nearest.entries()) {
      const found = nearestRows(unit, row, count);
      expect([...found.rows]).toEqual(nearest);
      expectClose(found.cosines, wanted.cosines[row]!, 1e-12);
      expect([...all.rows.subarray(row * count, (row + 1) * count)]).toEqual(nearest);
    }
  });

  test('overlap, alignment and the Procrustes fit of two tables are those of numpy and scipy', () => {
    const looked = Array.from({ length: rows }, (_, row) => row);
    const found = neighbourOverlap([unitRows(x), unitRows(y)], looked, count);
    expect(Math.abs(found.overlap - wanted.overlap)).toBeLessThan(1e-12);
    expect(Math.abs(found.jaccard - wanted.jaccard)).toBeLessThan(1e-12);
    expect(Math.abs(linearAlignment(x, y) - wanted.cka)).toBeLessThan(1e-10);
    const fit = procrustesFit(y, x);
    expect(Math.abs(fit.disparity - wanted.disparity)).toBeLessThan(1e-10);
    expectClose(movedOnto(y, fit).values, wanted.moved.flat(), 1e-8);
  });
});

describe.each(oracle.matched)('embeddings of $rows items that are partly the same', (wanted) => {
  const { rows, columns, states, ids, count } = wanted;
  const [first, second] = ids.map(([step, offset, modulus], side) =>
    Array.from({ length: rows[side]! }, (_, row) => String((row * step + offset) % modulus)),
  ) as [string[], string[]];
  const x = drawn(states[0], rows[0], columns[0]);
  const y = drawn(states[1], rows[1], columns[1]);
  const shared = Math.min(...columns);
  for (const [a, b] of wanted.pairs) {
    for (let i = 0; i < shared; i++) y.values[b * columns[1] + i]! += x.values[a * columns[0] + shared - 1 - i]!;
  }

  test('are matched by id as by a search, and compared over what both have as by numpy and scipy', () => {
    const pairs = matchRows(first, second);
    expect(Array.from(pairs.first, (row, at) => [row, pairs.second[at]])).toEqual(wanted.pairs);
    expect(matchRows([null, ...first], second).first).toEqual(pairs.first.map((row) => row + 1));
    const [a, b] = [selectRows(x, pairs.first), selectRows(y, pairs.second)];
    const found = neighbourOverlap([unitRows(a), unitRows(b)], Array.from(pairs.first.keys()), count);
    expect(Math.abs(found.overlap - wanted.overlap)).toBeLessThan(1e-12);
    expect(Math.abs(found.jaccard - wanted.jaccard)).toBeLessThan(1e-12);
    expect(Math.abs(linearAlignment(a, b) - wanted.cka)).toBeLessThan(1e-10);
    const fit = procrustesFit(b, a);
    expect(Math.abs(fit.disparity - wanted.disparity)).toBeLessThan(1e-10);
    expectClose(movedOnto(y, fit).values, wanted.moved.flat(), 1e-8);
  });
});
