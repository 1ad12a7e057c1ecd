import { afterAll, beforeAll, expect, test } from 'vitest';
import { mixedGraph, withIsolatedNodes } from '#workers/graphs/mixedGraph.ts';
import { sparseFromTriplets } from '#workers/math/sparse/sparseFromTriplets.ts';
import { tf } from '#workers/tensor/tf.ts';
import {
  checkGraph,
  checkTable,
  disposeSmoothing,
  graphSmoothing,
  smoothVariation,
} from '#workers/training/smoothing/graphSmoothing.ts';
import { plainTransformation } from '#test/oracles/plainTransformation.ts';
import {
  checkTransformation,
  directionWarning,
  type TransformationForm,
} from '#workers/training/smoothing/transformation.ts';
import { openBackend } from '#workers/tensor/openBackend.ts';

let close = async (): Promise<void> => undefined;
beforeAll(async () => {
  const opened = await openBackend({ forced: 'wasm', threads: 2 });
  close = () => opened.close();
});
afterAll(() => close());

/** 0 - 1 - 2 with weights 1 and 3, and 3 alone. */
const PATH = sparseFromTriplets({
  rowCount: 4,
  columnCount: 4,
  rows: [0, 1, 1, 2],
  columns: [1, 0, 2, 1],
  values: [1, 1, 3, 3],
});
const OF = { form: 'rescaled', beta: 0.9, layers: 3 } as const;

test.each([
  [{ ...OF, beta: 1 }, /β is 1; expected at least 0 and below 1/],
  [{ ...OF, beta: -0.1 }, /β is -0.1/],
  [{ ...OF, beta: Number.NaN }, /β is NaN/],
  [{ ...OF, layers: 1.5 }, /1.5 layers; expected a whole number from 0/],
])('%o is refused', (transformation, message) => {
  expect(() => checkTransformation(transformation)).toThrow(message);
  expect(() => graphSmoothing(PATH, transformation)).toThrow(message);
});

test('a graph that is not symmetric, not square or has negative weights is refused with its place', () => {
  const values = (...weights: number[]) => ({ ...PATH, values: Float64Array.from(weights) });
  expect(() => checkGraph(values(1, 1, 3, 2))).toThrow(
    /entry \(1, 2\) is 3, entry \(2, 1\) is 2; expected a symmetric/,
  );
  expect(() => checkGraph(values(1, 1, -3, -3))).toThrow(/weight between 1 and 2 is -3; expected none below 0/);
  expect(() => checkGraph({ ...PATH, columnCount: 5 })).toThrow(/4 × 5; expected a square one/);
  expect(() => checkGraph(values(1, 1, Number.NaN, 3))).toThrow(/expected a finite one/);
  expect(() => checkGraph(PATH)).not.toThrow();
});

test('an embedding with another number of rows is refused', () => {
  const smoothing = graphSmoothing(PATH, OF);
  const table = tf.zeros([5, 2]);
  expect(() => checkTable(smoothing, 'items', table)).toThrow(/4 nodes and the embedding items has shape \[5, 2\]/);
  expect(() => smoothVariation(smoothing, table)).toThrow(/x has shape \[5, 2\]; expected \[4, at least 1\]/);
  table.dispose();
  disposeSmoothing(smoothing);
});

test('an isolated node is only scaled, and β = 0 changes nothing', () => {
  const x = Float64Array.from([1, -2, 3, 5]);
  const scaled = plainTransformation(withIsolatedNodes(PATH, { before: 0, nodes: 4 }), x, OF)[3]!;
  expect(scaled).toBeCloseTo((5 * 0.1) / (1 - 0.9 ** 4), 12);
  for (const form of ['rescaled', 'neumann', 'iterative', 'exact'] satisfies TransformationForm[]) {
    expect([...plainTransformation(PATH, x, { form, beta: 0, layers: 3 })]).toEqual([...x]);
  }
});

test('Theorem 1 warns of the iterative form alone, from β = 1/2', () => {
  expect(directionWarning({ ...OF, form: 'iterative', beta: 0.5 })).toMatch(/Theorem 1.*β < 1\/2/);
  expect(directionWarning({ ...OF, form: 'iterative', beta: 0.49 })).toBeNull();
  expect(directionWarning({ ...OF, form: 'rescaled', beta: 0.99 })).toBeNull();
});

test('a mixture adds what its graphs have at each place, and refuses what cannot be added', () => {
  const moved = withIsolatedNodes(
    { ...PATH, rowCount: 3, columnCount: 3, offsets: PATH.offsets.slice(0, 4) },
    { before: 1, nodes: 4 },
  );
  const mixed = mixedGraph([
    { graph: PATH, weight: 2 },
    { graph: moved, weight: 1 },
  ]);
  expect([...mixed.columns]).toEqual([1, 0, 2, 1, 3, 2]);
  expect([...mixed.values]).toEqual([2, 2, 7, 7, 3, 3]);
  const smaller = withIsolatedNodes(PATH, { before: 1, nodes: 6 });
  const pair = (weight: number, graph = PATH) => [
    { graph: PATH, weight: 1 },
    { graph, weight },
  ];
  expect(() => mixedGraph(pair(1, smaller))).toThrow(/graphs of 4 and 6 nodes/);
  expect(() => mixedGraph(pair(-1))).toThrow(/weight -1; expected a number from 0/);
  expect(() => mixedGraph([])).toThrow(/at least one/);
});
