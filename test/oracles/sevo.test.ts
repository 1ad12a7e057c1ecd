import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { leaveOneOut } from '#workers/data/split/leaveOneOut.ts';
import { transitionGraph } from '#workers/graphs/transitionGraph.ts';
import { sparseFromTriplets } from '#workers/math/sparse/sparseFromTriplets.ts';
import type { SparseMatrix } from '#workers/math/sparse/sparseMatrix.ts';
import { sparseRowSums, symmetricNormalisation } from '#workers/math/sparse/symmetricNormalisation.ts';
import { tf } from '#workers/tensor/tf.ts';
import { disposeOptimizer, initOptimizer } from '#workers/training/optimizers/optimizerState.ts';
import type { OptimizerSettings } from '#src/catalog/optimizers/optimizers.ts';
import { stepOptimizer } from '#workers/training/optimizers/stepOptimizer.ts';
import {
  disposeSmoothing,
  graphSmoothing,
  smoothness,
  smoothVariation,
} from '#workers/training/smoothing/graphSmoothing.ts';
import { plainSmoothness, plainTransformation } from './plainTransformation.ts';
import { smoothedTables } from '#workers/training/smoothing/smoothedTables.ts';
import type { TransformationForm } from '#workers/training/smoothing/transformation.ts';
import { TEST_BACKENDS } from '../backends/backends.ts';
import { datasetOf } from '../unit/data/dataFiles.ts';
import { datasetNamed, realDataset } from './realDataset.ts';
import { sevoOracle as oracle } from './sevoOracle.ts';
import { tracedOptimizers } from './tracedOptimizer.ts';

const transitionOptions = z.object({
  end: z.enum(['first', 'last']),
  items: z.number(),
  pathLength: z.number(),
  weighting: z.enum(['distance', 'frequency']),
});
const psiSums = z.object({ first10: z.array(z.number()), sum_sq: z.number(), dot_input: z.number() });
const FORMS: readonly Exclude<TransformationForm, 'exact'>[] = ['iterative', 'neumann', 'rescaled'];

function sparse(dense: readonly (readonly number[])[]): SparseMatrix {
  const rows: number[] = [];
  const columns: number[] = [];
  const values: number[] = [];
  for (const [row, line] of dense.entries()) {
    for (const [column, value] of line.entries()) {
      if (value === 0) continue;
      rows.push(row);
      columns.push(column);
      values.push(value);
    }
  }
  return sparseFromTriplets({ rowCount: dense.length, columnCount: dense.length, rows, columns, values });
}

function apart(values: ArrayLike<number>, expected: readonly (readonly number[])[]): number {
  return Math.max(...expected.flat().map((value, at) => Math.abs(value - values[at]!)));
}

function inner(a: Float64Array, b: Float64Array): number {
  return a.reduce((sum, value, at) => sum + value * b[at]!, 0);
}

describe('transformations in double precision', () => {
  test.each(oracle.psi.map((given, graph) => ({ graph, given })))('of graph $graph', ({ given }) => {
    const graph = symmetricNormalisation(sparse(given.adjacency));
    expect(apart(sparse(given.normalised).values, [[...graph.values]])).toBeLessThan(1e-12);
    const x = Float64Array.from(given.X.flat());
    expect(plainSmoothness(graph, x)).toBeCloseTo(given.smoothness_X, 10);
    for (const { beta, exact, L, smoothness_exact, inner_exact } of given.cases) {
      const limit = plainTransformation(graph, x, { form: 'exact', beta, layers: 0 });
      expect(apart(limit, exact)).toBeLessThan(1e-10);
      expect(plainSmoothness(graph, limit)).toBeCloseTo(smoothness_exact, 10);
      expect(inner(limit, x)).toBeCloseTo(inner_exact, 10);
      for (const layers of L) {
        for (const form of FORMS) {
          const y = plainTransformation(graph, x, { form, beta, layers: layers.L });
          expect(apart(y, layers[form])).toBeLessThan(1e-10);
          expect(plainSmoothness(graph, y)).toBeCloseTo(layers[`smoothness_${form}`], 10);
          expect(inner(y, x)).toBeCloseTo(layers[`inner_${form}`], 10);
        }
      }
    }
  });

  test('only the iterative form turns against its direction, at β from 1/2 and odd L', () => {
    const { adjacency, X, cases } = oracle.direction_counterexample;
    const graph = symmetricNormalisation(sparse(adjacency));
    const x = Float64Array.from(X.flat());
    for (const given of cases) {
      for (const form of FORMS) {
        const y = plainTransformation(graph, x, { form, beta: given.beta, layers: given.L });
        expect(inner(y, x)).toBeCloseTo(given[`inner_${form}`], 10);
        if (form !== 'iterative') expect(inner(y, x)).toBeGreaterThan(0);
      }
    }
  });
});

describe('graphs of transitions', () => {
  const { sequences, n_items: itemCount, cases } = oracle.algorithm4;
  const dataset = { ...datasetOf(sequences), itemCount };
  test.each(cases)('first $first, K $K, H $H, $weight', ({ first, K, H, weight, edges, degree }) => {
    const options = { end: first ? 'first' : 'last', items: K, pathLength: H, weighting: weight } as const;
    const graph = transitionGraph({ dataset, ends: dataset.offsets.slice(1) }, options);
    const found: number[][] = [];
    for (let row = 0; row < itemCount; row++) {
      for (let at = graph.offsets[row]!; at < graph.offsets[row + 1]!; at++) {
        if (graph.columns[at]! >= row) found.push([row, graph.columns[at]!, graph.values[at]!]);
      }
    }
    expect(found).toHaveLength(edges.length);
    expect(apart(found.flat(), edges)).toBeLessThan(1e-12);
    expect(apart(sparseRowSums(graph), [degree])).toBeLessThan(1e-12);
  });

  test.for(Object.entries(oracle.real_item_graphs))(
    'of %s, and what smoothing over it gives',
    async ([name, given], context) => {
      const [, title, end, items, pathLength, weighting] =
        /^(\S+) train part.* (first|last) K=(\d+), H=(\d+), (distance|frequency)$/.exec(name)!;
      const dataset = await realDataset({ name: datasetNamed(title!) });
      if (dataset === null) return context.skip('the dataset is in no folder of WARREN_DATA');
      const { trainEnd } = leaveOneOut(dataset);
      const options = transitionOptions.parse({ end, items: Number(items), pathLength: Number(pathLength), weighting });
      const graph = transitionGraph({ dataset, ends: trainEnd }, options);
      const degrees = sparseRowSums(graph);
      const normalised = symmetricNormalisation(graph);
      expect({
        n: graph.rowCount,
        nnz: graph.values.length,
        sum: degrees.reduce((a, b) => a + b),
        isolated: degrees.filter((degree) => degree === 0).length,
        degree_max: Math.max(...degrees),
      }).toEqual({
        n: given.n,
        nnz: given.nnz,
        sum: given.sum_weights,
        isolated: given.isolated,
        degree_max: given.degree_max,
      });
      expect(normalised.values.reduce((a, b) => a + b)).toBeCloseTo(given.sum_normalised, 8);
      const x = Float64Array.from({ length: graph.rowCount }, (_, index) => Math.cos(index));
      const smoothed = Object.entries(given).filter(([key]) => key.startsWith('psi_'));
      expect(smoothed.length).toBeGreaterThan(0);
      for (const [key, values] of smoothed) {
        // 099 stands for 0.99
        const [, beta, layers] = /^psi_rescaled_beta0(\d+)_L(\d+)_of_cos_index$/.exec(key)!;
        const psi = psiSums.parse(values);
        const form = { form: 'rescaled', beta: Number(`0.${beta}`), layers: Number(layers) } as const;
        const y = plainTransformation(normalised, x, form);
        expect(apart(y, [psi.first10])).toBeLessThan(1e-10);
        expect(inner(y, y)).toBeCloseTo(psi.sum_sq, 9);
        expect(inner(y, x)).toBeCloseTo(psi.dot_input, 9);
      }
    },
  );
});

const VARIANTS = tracedOptimizers(Object.keys(oracle.traces.runs[0]!.results));

function settingsOf(method: 'sgd' | 'adam' | 'adamw', hyper: Readonly<Record<string, number>>): OptimizerSettings {
  const common = { learningRate: hyper.lr!, weightDecay: hyper.weight_decay! };
  if (method === 'sgd') return { ...common, name: 'sgd', momentum: hyper.momentum! };
  return { ...common, name: method, beta1: hyper.beta1!, beta2: hyper.beta2!, epsilon: hyper.eps! };
}

describe.each(TEST_BACKENDS)('on $label', ({ open }) => {
  let opened: Awaited<ReturnType<typeof open>>;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened.close());

  test('every form agrees with its reference, and no tensor is left', () => {
    const before = tf.memory().numTensors;
    for (const given of oracle.psi) {
      const graph = sparse(given.adjacency);
      const x = tf.tensor2d(given.X);
      for (const { beta, exact, L } of given.cases) {
        const smooth = (form: TransformationForm, layers: number): { values: Float32Array; J: number } => {
          const smoothing = graphSmoothing(graph, { form, beta, layers });
          const y = smoothVariation(smoothing, x);
          const J = smoothness(smoothing, y);
          const read = { values: Float32Array.from(y.dataSync()), J: J.dataSync()[0]! };
          tf.dispose([y, J]);
          disposeSmoothing(smoothing);
          return read;
        };
        expect(apart(smooth('exact', 0).values, exact)).toBeLessThan(1e-5);
        for (const layers of L) {
          for (const form of FORMS) {
            const { values, J } = smooth(form, layers.L);
            expect(apart(values, layers[form])).toBeLessThan(2e-6);
            expect(J).toBeCloseTo(layers[`smoothness_${form}`], 4);
          }
        }
      }
      x.dispose();
    }
    expect(tf.memory().numTensors).toBe(before);
  });

  test.each(VARIANTS)('$variant follows its steps', ({ variant, method, ...options }) => {
    const { traces } = oracle;
    const graph = sparse(traces.adjacency);
    const before = tf.memory().numTensors;
    for (const { hyper, results } of traces.runs) {
      const start = tf.tensor2d(traces.E0);
      const table = tf.variable(start);
      const transformation = { form: 'rescaled', beta: hyper.beta!, layers: hyper.L! } as const;
      const smoothing = graphSmoothing(graph, transformation);
      const { own } = smoothedTables(new Map([['items', { table, smoothing }]]), options);
      const optimizer = initOptimizer(new Map([['items', table]]), settingsOf(method, hyper), own);
      for (const [step, values] of traces.gradients.entries()) {
        const gradient = tf.tensor2d(values);
        stepOptimizer(optimizer, { items: gradient });
        gradient.dispose();
        // Variations go up to lr × 10 steps; single precision.
        expect(apart(table.dataSync(), results[variant]![step]!)).toBeLessThan(1e-6);
      }
      disposeOptimizer(optimizer);
      disposeSmoothing(smoothing);
      tf.dispose([start, table]);
    }
    expect(tf.memory().numTensors).toBe(before);
  });
});
