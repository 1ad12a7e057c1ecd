import { expect, test } from 'vitest';
import { chancePurity, labelPurity } from '#workers/features/labelPurity.ts';
import { nearestEmbeddings } from '#workers/features/nearestEmbeddings.ts';
import { umapLayout } from '#workers/math/embeddings/umapLayout.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';

const WIDTH = 6;
const NEVER = { threads: 1, pulse: () => undefined };

/** Rows around three far corners, in turn. */
function threeClusters(rows: number): { values: Float64Array; labels: Int32Array } {
  const generator = randomGenerator(1, 'clusters');
  const values = Float64Array.from({ length: rows * WIDTH }, (_, at) => {
    const corner = Math.floor(at / WIDTH) % 3 === at % WIDTH ? 20 : 0;
    return corner + generator.normal();
  });
  return { values, labels: Int32Array.from({ length: rows }, (_, row) => row % 3) };
}

/** By the definition, all with all in double precision. */
function slowNearest(values: Float64Array, count: number, metric: 'euclidean' | 'cosine'): number[][] {
  const rows = Array.from({ length: values.length / WIDTH }, (_, row) =>
    Array.from(values.slice(row * WIDTH, (row + 1) * WIDTH)),
  );
  const distance = (x: number[], y: number[]): number => {
    if (metric === 'euclidean') return Math.hypot(...x.map((value, d) => value - y[d]!));
    const norms = Math.hypot(...x) * Math.hypot(...y);
    return norms === 0 ? 1 : 1 - x.reduce((sum, value, d) => sum + value * y[d]!, 0) / norms;
  };
  return rows.map((x, row) =>
    rows
      .map((y, other) => ({ other, far: distance(x, y) }))
      .filter(({ other }) => other !== row)
      .sort((a, b) => a.far - b.far)
      .slice(0, count)
      .map(({ far }) => far),
  );
}

test.each(['euclidean', 'cosine'] as const)(
  '%s: the nearest rows are those of comparing all with all',
  async (metric) => {
    const generator = randomGenerator(2, 'rows');
    // far from the origin, where single precision would lose what tells them apart
    const values = Float64Array.from(
      { length: 50 * WIDTH },
      () => (metric === 'cosine' ? 0 : 1000) + generator.normal(),
    );
    // the same row twice, and for cosine one without a direction
    values.copyWithin(WIDTH, 0, WIDTH);
    if (metric === 'cosine') values.fill(0, 4 * WIDTH, 5 * WIDTH);
    const found = await nearestEmbeddings(values, WIDTH, { count: 7, metric, ...NEVER });
    const expected = slowNearest(values, 7, metric);
    for (const [row, distances] of expected.entries()) {
      expect(Array.from(found.neighbours.subarray(row * 7, row * 7 + 7))).not.toContain(row);
      for (const [place, far] of distances.entries()) expect(found.distances[row * 7 + place]).toBeCloseTo(far, 6);
    }
    expect(found.neighbours[0]).toBe(1);
  },
);

test('purity counts neighbours with the same label, and its chance is that of any two rows', () => {
  const nearest = {
    rows: 4,
    count: 2,
    neighbours: Int32Array.of(1, 2, 0, 3, 0, 3, 0, 1),
    distances: new Float64Array(8),
  };
  // row 3 has no label: it is no one's neighbour
  const labels = Int32Array.of(0, 0, 1, -1);
  expect(labelPurity(nearest, labels)).toBeCloseTo((0.5 + 1 + 0) / 3, 12);
  expect(chancePurity(labels)).toBeCloseTo(2 / 6, 12);
  expect(labelPurity(nearest, Int32Array.of(-1, -1, -1, 0))).toBeNaN();
});

test('UMAP keeps clusters apart, and gives the same places for the same seed', async () => {
  const { values, labels } = threeClusters(90);
  const nearest = await nearestEmbeddings(values, WIDTH, { count: 9, metric: 'euclidean', ...NEVER });
  const layout = (seed: number) =>
    umapLayout(nearest, {
      dimensions: 2,
      minimumDistance: 0.1,
      epochs: 100,
      generator: randomGenerator(seed, 'umap'),
      pulse: () => undefined,
    });
  const places = layout(1);
  const near = await nearestEmbeddings(places, 2, { count: 9, metric: 'euclidean', ...NEVER });
  expect(labelPurity(near, labels)).toBeGreaterThan(0.95);
  expect(layout(1)).toEqual(places);
  expect(layout(2)).not.toEqual(places);
});

test('a layout can be stopped between epochs, and tells how far it is', async () => {
  const { values } = threeClusters(30);
  const nearest = await nearestEmbeddings(values, WIDTH, { count: 5, metric: 'euclidean', ...NEVER });
  const told: number[] = [];
  const pulse = (done: number): void => {
    told.push(done);
    if (told.length === 5) throw new Error('stopped');
  };
  const options = {
    dimensions: 2 as const,
    minimumDistance: 0.1,
    epochs: 10,
    generator: randomGenerator(1, 'umap'),
    pulse,
  };
  expect(() => umapLayout(nearest, options)).toThrow('stopped');
  expect(told).toEqual([0, 0, 0.1, 0.2, 0.3]);
});
