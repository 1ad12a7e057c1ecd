import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { leaveOneOut } from '#workers/data/split/leaveOneOut.ts';
import { drawnAnchors, drawnPairs, maskPaths, visibleGraph } from '#workers/graphs/maskedPaths.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import type { SparseMatrix } from '#workers/math/sparse/sparseMatrix.ts';
import { initMaeRec, maeRec, maeRecLoss } from '#workers/models/maeRec.ts';
import { packHistories, represent } from '#workers/models/sequenceNetwork.ts';
import type { OpenBackend } from '#workers/tensor/openedBackend.ts';
import { openBackend } from '#workers/tensor/openBackend.ts';
import { twinsOf } from '#workers/tensor/operations/edgeFactors.ts';
import { sparseTensor } from '#workers/tensor/sparseTensor.ts';
import { tf } from '#workers/tensor/tf.ts';
import { checkMaskedGraphMemory, nearItems, rewardOf } from '#workers/training/maskedGraphLearning.ts';
import { datasetOf } from '../data/dataFiles.ts';
import { slowLayers, slowMaeRecStates, slowReconstruction, slowRelatedness, sumOfLayers } from './slowMaeRec.ts';
import { type PlainParameters, slowLoss } from './slowNetworks.ts';

const SHAPE = { itemCount: 9, dimension: 6, maximumLength: 7, blocks: 2, heads: 2, graphLayers: 2 };
const OPTIONS = { dropout: 0, loss: 'bce', reconstruction: 0.7, walkSteps: 3 } as const;
/** Item 8 is by itself. */
const SEQUENCES = [[3], [1, 4, 1, 5, 2, 6, 5], [0, 7], [7, 3, 2, 8]];
const GRAPH = nearItems(
  leaveOneOut(
    datasetOf(
      [
        [1, 4, 1, 5, 2, 6, 5, 0, 0],
        [0, 7, 3, 2, 1, 1],
        [3, 7, 7, 7],
      ],
      9,
    ),
  ),
  2,
);
const DRAW = { seed: 3, step: 5, site: 7 };

function dense({ rowCount, columnCount, offsets, columns, values }: SparseMatrix): number[][] {
  return Array.from({ length: rowCount }, (_, row) => {
    const entries = Array.from({ length: columnCount }, () => 0);
    for (let at = offsets[row]!; at < offsets[row + 1]!; at++) entries[columns[at]!] = values[at]!;
    return entries;
  });
}

function walksOf(matrix: SparseMatrix): SparseMatrix {
  const values = matrix.values.slice();
  for (let row = 0; row < matrix.rowCount; row++) {
    const [from, to] = [matrix.offsets[row]!, matrix.offsets[row + 1]!];
    values.fill(1 / Math.max(1, to - from), from, to);
  }
  return { ...matrix, values };
}

const paths = maskPaths(GRAPH, twinsOf(GRAPH), { anchors: [4], depth: 2, share: 1, draw: DRAW });

describe.each(['cpu', 'wasm'] as const)('on %s', (backend) => {
  let open: OpenBackend;
  beforeAll(async () => {
    open = await openBackend({ forced: backend, threads: 2 });
  });
  afterAll(() => open.close());

  test('the loss over a masked graph and its slopes are those of whole matrices', () => {
    const parameters = initMaeRec(SHAPE, { method: 'normal', deviation: 0.5 }, (name) => randomGenerator(1, name));
    const plain = new Map([...parameters].map(([name, value]) => [name, Float64Array.from(value.dataSync())]));
    const masked = visibleGraph(GRAPH, paths.masked);
    const walks = walksOf(GRAPH);
    const pairs = drawnPairs(GRAPH, paths, { count: 3, others: 4, draw: DRAW });
    const input = packHistories(
      SEQUENCES.map((items) => Uint32Array.from(items)),
      SHAPE.maximumLength,
    );
    const generator = randomGenerator(3, 'targets');
    const drawn = () => Int32Array.from({ length: input.layout.tokens }, () => generator.nextInt(9));
    const batch = { ...input, rows: null, targets: drawn(), negatives: drawn() };
    const slow = (p: PlainParameters): number => {
      const layers = slowLayers(p, SHAPE, dense(masked));
      const table = sumOfLayers(layers);
      const states = SEQUENCES.flatMap((items) => slowMaeRecStates(p, items, { table, shape: SHAPE }));
      const positions = states.map((state, at) => ({
        state,
        target: batch.targets[at]!,
        negatives: [batch.negatives[at]!],
      }));
      const nextItem = slowLoss(Float64Array.from(table.flat()), positions, 'bce');
      const related = slowRelatedness(layers[0]!, dense(walks), OPTIONS.walkSteps);
      return nextItem + OPTIONS.reconstruction * slowReconstruction(p, layers.slice(0, 2), pairs) - 0.3 * related;
    };
    const tensors = { visible: sparseTensor(masked), walks: sparseTensor(walks) };
    const { value, grads } = tf.variableGrads(
      () =>
        maeRecLoss(parameters, batch, {
          shape: SHAPE,
          options: OPTIONS,
          masked: { visible: tensors.visible, pairs, reward: { factor: 0.3, walks: tensors.walks } },
          draw: null,
        }).total,
      [...parameters.values()],
    );
    expect(value.dataSync()[0]).toBeCloseTo(slow(plain), 5);
    for (const [name, variable] of parameters) {
      const random = randomGenerator(4, name);
      const direction = Float64Array.from({ length: variable.size }, () => random.normal());
      const moved = (sign: number): number => {
        const values = plain.get(name)!.map((entry, at) => entry + sign * 1e-5 * direction[at]!);
        return slow(new Map([...plain, [name, values]]));
      };
      const expected = (moved(1) - moved(-1)) / 2e-5;
      const slope = grads[variable.name]!.dataSync<'float32'>().reduce(
        (sum, entry, at) => sum + entry * direction[at]!,
        0,
      );
      expect(Math.abs(slope - expected), name).toBeLessThan(1e-4 * (1 + Math.abs(expected)));
    }
    tensors.visible.dispose();
    tensors.walks.dispose();
    tf.dispose([value, grads, [...parameters.values()]]);
  });

  test('ranking sees the whole graph, and keeps nothing', async () => {
    const parameters = initMaeRec(SHAPE, { method: 'normal', deviation: 0.5 }, (name) => randomGenerator(1, name));
    const plain = new Map([...parameters].map(([name, value]) => [name, Float64Array.from(value.dataSync())]));
    const whole = visibleGraph(GRAPH, null);
    const graph = sparseTensor(whole, { isSymmetric: true });
    const before = tf.memory().numTensors;
    const network = maeRec(parameters, SHAPE, { options: OPTIONS, graph });
    const states = await represent(
      network,
      SEQUENCES.map((items) => Uint32Array.from(items)),
    );
    const table = sumOfLayers(slowLayers(plain, SHAPE, dense(whole)));
    const expected = SEQUENCES.flatMap((items) => slowMaeRecStates(plain, items, { table, shape: SHAPE }).at(-1)!);
    for (const [at, value] of expected.entries()) expect(states[at]).toBeCloseTo(value, 4);
    expect(tf.memory().numTensors).toBe(before);
    graph.dispose();
    tf.dispose([...parameters.values()]);
  });
});

test('paths from an anchor mask its edges in both directions, then those of what they lead to', () => {
  const twins = twinsOf(GRAPH);
  const near = maskPaths(GRAPH, twins, { anchors: [4], depth: 1, share: 1, draw: DRAW });
  expect([...near.from]).toEqual([...near.to].map(() => 4));
  expect(near.from.length).toBe(GRAPH.offsets[5]! - GRAPH.offsets[4]!);
  for (const [entry, isMasked] of near.masked.entries()) expect(near.masked[twins[entry]!]).toBe(isMasked);
  expect(near.masked.reduce((sum, value) => sum + value, 0)).toBe(2 * near.from.length);
  expect(paths.from.length).toBeGreaterThan(near.from.length);
  const stopped = maskPaths(GRAPH, twins, { anchors: [4], depth: 3, share: 0, draw: DRAW });
  expect(stopped).toEqual(near);
  // an item without edges hides nothing, and stays in the graph by itself
  expect(maskPaths(GRAPH, twins, { anchors: [8], depth: 3, share: 1, draw: DRAW }).from.length).toBe(0);
  expect(dense(visibleGraph(GRAPH, near.masked))[4]).toEqual([0, 0, 0, 0, 1, 0, 0, 0, 0]);
  expect(dense(visibleGraph(GRAPH, null))[8]![8]).toBe(1);
});

test('pairs beside a masked edge share an end with it and are no edges', () => {
  const matrix = dense(GRAPH);
  const { first, second, each } = drawnPairs(GRAPH, paths, { count: 100, others: 4, draw: DRAW });
  expect(first.length).toBe(paths.from.length * 5);
  for (let at = 0; at < first.length; at++) {
    const start = at - (at % each);
    expect(matrix[first[at]!]![second[at]!]).toBe(at === start ? 1 : 0);
    expect(first[at] === first[start] || second[at] === second[start]).toBe(true);
  }
  expect(drawnPairs(GRAPH, paths, { count: 2, others: 4, draw: DRAW }).first.length).toBe(10);
});

test('anchors are mostly the most related items, and the same for the same draw', () => {
  const scores = Float32Array.from({ length: 50 }, (_, item) => (item < 5 ? 8 : 0));
  const anchors = drawnAnchors(scores, 5, DRAW);
  expect(drawnAnchors(scores, 5, DRAW)).toEqual(anchors);
  expect(anchors.filter((item) => item < 5).length).toBeGreaterThan(2);
});

test('a mask under which the loss fell more slowly counts less', () => {
  expect(rewardOf([], 0.2)).toBe(1);
  expect(rewardOf([3, 2], 0.2)).toBe(1);
  expect(rewardOf([3, 2.5, 1], 0.2)).toBe(1);
  expect(rewardOf([3, 2, 1.5], 0.2)).toBe(0.2);
});

test('data without an edge, and graphs that are too large, are refused with what they need', () => {
  expect(() =>
    nearItems(
      leaveOneOut(
        datasetOf([
          [1, 1, 1, 2, 0],
          [0, 1, 2],
        ]),
      ),
      3,
    ),
  ).toThrow(/has no edge/);
  const shape = { dimension: 64, graphLayers: 2 };
  checkMaskedGraphMemory(GRAPH, shape, { edges: 2048, others: 40 });
  expect(() => checkMaskedGraphMemory(GRAPH, shape, { edges: 200_000, others: 40 })).toThrow(
    /9 items with \d+ edges needs about .* 8200000 pairs apart .* GiB; the limit is 4\.00 GiB: take a smaller dimension/,
  );
});
