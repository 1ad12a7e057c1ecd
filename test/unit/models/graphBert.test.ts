import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hopDistances, intimateNodes, nodeRoles } from '#workers/graphs/intimacy.ts';
import { visibleGraph } from '#workers/graphs/maskedPaths.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { sparseFromTriplets } from '#workers/math/sparse/sparseFromTriplets.ts';
import { symmetricNormalisation } from '#workers/math/sparse/symmetricNormalisation.ts';
import type { SparseMatrix } from '#workers/math/sparse/sparseMatrix.ts';
import {
  graphBertRows,
  initGraphBert,
  markEmbeddings,
  nodeSequences,
  recoveryLoss,
  sequenceMeans,
} from '#workers/models/graphBert.ts';
import type { OpenBackend } from '#workers/tensor/openedBackend.ts';
import { openBackend } from '#workers/tensor/openBackend.ts';
import { sparseTensor } from '#workers/tensor/sparseTensor.ts';
import { tf } from '#workers/tensor/tf.ts';
import { checkGraphBertMemory } from '#workers/training/start/graphBertEmbeddings.ts';
import { attend, normalised, type PlainParameters, plus, product, times, type Vector } from './slowNetworks.ts';
import { gelu } from './slowMaeRec.ts';

/** A path 0 - 1 - 2 - 3 with a branch 1 - 4, a pair 5 - 6, and 7 by itself. */
const EDGES = [
  [0, 1],
  [1, 2],
  [2, 3],
  [1, 4],
  [5, 6],
] as const;
const GRAPH = sparseFromTriplets({
  ...{ rowCount: 8, columnCount: 8 },
  rows: EDGES.flat(),
  columns: EDGES.flatMap(([a, b]) => [b, a]),
  values: EDGES.flatMap(() => [1, 1]),
});
const SHAPE = { dimension: 6, layers: 2, heads: 2 };

function dense({ rowCount, columnCount, offsets, columns, values }: SparseMatrix): number[][] {
  return Array.from({ length: rowCount }, (_, row) => {
    const entries = Array.from({ length: columnCount }, () => 0);
    for (let at = offsets[row]!; at < offsets[row + 1]!; at++) entries[columns[at]!] = values[at]!;
    return entries;
  });
}

/** Other nodes by their entries of (1 - 0.85 A)⁻¹, by its series. */
function slowIntimates(graph: SparseMatrix, count: number): number[][] {
  const steps = dense(symmetricNormalisation(graph));
  return steps.map((_, start) => {
    let term: Vector = steps.map((__, node) => (node === start ? 1 : 0));
    let sum = term;
    for (let step = 0; step < 300; step++) {
      term = steps.map((row) => 0.85 * product(row, term));
      sum = plus(sum, term);
    }
    const others = [...sum.keys()].filter((node) => node !== start && sum[node]! > 0);
    // closer than the solver can tell, the lower number first
    return others.sort((a, b) => (Math.abs(sum[b]! - sum[a]!) < 1e-6 ? a - b : sum[b]! - sum[a]!)).slice(0, count);
  });
}

const listed = slowIntimates(GRAPH, 3);
const SEQUENCES = nodeSequences(listed, { roles: nodeRoles(GRAPH, 2), distances: hopDistances(GRAPH, listed) });
const ATTRIBUTES = Float32Array.from({ length: 48 }, (_, at) => Math.sin(7 * at));

/** (nodes, d) and the mean squared error over all pairs, with whole matrices. */
function slowLoss(p: PlainParameters): number {
  const d = SHAPE.dimension;
  const marks = markEmbeddings(SEQUENCES, d);
  const apply = (name: string, x: Vector): Vector => times(x, p.get(`${name}/weight`)!, p.get(`${name}/bias`)!);
  const norm = (name: string, x: Vector): Vector =>
    normalised(x, p.get(`${name}/gain`)!, p.get(`${name}/bias`)!, 1e-12);
  const { offsets } = SEQUENCES.layout;
  const rows = listed.map((_, s) => {
    const tokens = Array.from({ length: offsets[s + 1]! - offsets[s]! }, (__, at) => offsets[s]! + at);
    let x = tokens.map((token) => {
      const node = SEQUENCES.nodes[token]!;
      const own = apply('attributes', [...ATTRIBUTES.subarray(node * d, node * d + d)]);
      return norm('inputNorm', plus(own, [...marks.subarray(token * d, token * d + d)]));
    });
    for (let block = 0; block < SHAPE.layers; block++) {
      const at = `block${block}`;
      const [q, k, v] = ['query', 'key', 'value'].map((name) => x.map((row) => apply(`${at}/${name}`, row)));
      x = x.map((row, place) => {
        const heard = attend({ q: q![place]!, k: k!, v: v!, heads: SHAPE.heads });
        const y = norm(`${at}/attentionNorm`, plus(row, apply(`${at}/output`, heard)));
        const forward = apply(`${at}/forward2`, apply(`${at}/forward1`, y).map(gelu));
        return norm(`${at}/forwardNorm`, plus(y, forward));
      });
    }
    return x.reduce(plus).map((value) => value / x.length);
  });
  const target = dense(visibleGraph(GRAPH, null));
  let sum = 0;
  for (const [i, a] of rows.entries()) {
    for (const [j, b] of rows.entries()) {
      sum += (product(a, b) / (Math.hypot(...a) * Math.hypot(...b)) - target[i]![j]!) ** 2;
    }
  }
  return sum / rows.length ** 2;
}

test('roles, distances and sequences of nodes are those of the graph', () => {
  const roles = nodeRoles(GRAPH, 2);
  expect(roles[5]).toBe(roles[6]);
  expect(roles[0]).toBe(roles[4]);
  expect(new Set(roles).size).toBe(6);
  expect(hopDistances(GRAPH, [[1, 3, 5], [], [0], [], [3], [6], [5], [0]])).toEqual([
    [1, 3, 99],
    [],
    [2],
    [],
    [3],
    [1],
    [1],
    [99],
  ]);
  expect(listed[7]).toEqual([]);
  expect([...SEQUENCES.nodes.subarray(SEQUENCES.layout.offsets[5])]).toEqual([5, 6, 6, 5, 7]);
});

test('a graph that is too large is refused with what it needs', () => {
  const size = { entries: 1e6, intimates: 7, dimension: 64, layers: 2 };
  checkGraphBertMemory({ ...size, nodes: 10_000 });
  expect(() => checkGraphBertMemory({ ...size, nodes: 500_000 })).toThrow(
    /500000 users and items with 7 others each needs about .* GiB, the limit is 4\.00 GiB: take fewer/,
  );
});

describe.each(['cpu', 'wasm'] as const)('on %s', (backend) => {
  let open: OpenBackend;
  beforeAll(async () => {
    open = await openBackend({ forced: backend, threads: 2 });
  });
  afterAll(() => open.close());

  test('the most intimate nodes are those of the exact inverse', async () => {
    const before = tf.memory().numTensors;
    expect(await intimateNodes(GRAPH, 3, () => undefined)).toEqual(listed);
    expect(tf.memory().numTensors).toBe(before);
  });

  test('the error over all pairs and its slopes are found without them', () => {
    const parameters = initGraphBert(SHAPE, (name) => randomGenerator(1, name));
    for (const [name, variable] of parameters) {
      const generator = randomGenerator(2, name);
      const noise = Float32Array.from({ length: variable.size }, () => 0.3 * generator.normal());
      const moved = tf.tidy(() => tf.add(variable, tf.tensor(noise, variable.shape)));
      variable.assign(moved);
      moved.dispose();
    }
    const plain = new Map([...parameters].map(([name, value]) => [name, Float64Array.from(value.dataSync())]));
    const input = {
      sequences: SEQUENCES,
      means: sparseTensor(sequenceMeans(SEQUENCES)),
      attributes: tf.tensor2d(ATTRIBUTES, [8, 6]),
      marks: tf.tensor2d(markEmbeddings(SEQUENCES, 6), [SEQUENCES.layout.tokens, 6]),
    };
    const graph = sparseTensor(visibleGraph(GRAPH, null), { isSymmetric: true });
    const { value, grads } = tf.variableGrads(
      () => recoveryLoss(graphBertRows(parameters, input, { shape: SHAPE, draw: null }), graph),
      [...parameters.values()],
    );
    expect(value.dataSync()[0]).toBeCloseTo(slowLoss(plain), 5);
    for (const [name, variable] of parameters) {
      const random = randomGenerator(4, name);
      const direction = Float64Array.from({ length: variable.size }, () => random.normal());
      const moved = (sign: number): number => {
        const values = plain.get(name)!.map((entry, at) => entry + sign * 1e-5 * direction[at]!);
        return slowLoss(new Map([...plain, [name, values]]));
      };
      const expected = (moved(1) - moved(-1)) / 2e-5;
      const slope = grads[variable.name]!.dataSync<'float32'>().reduce(
        (sum, entry, at) => sum + entry * direction[at]!,
        0,
      );
      expect(Math.abs(slope - expected), name).toBeLessThan(1e-4 * (1 + Math.abs(expected)));
    }
    input.means.dispose();
    graph.dispose();
    tf.dispose([value, grads, input.attributes, input.marks, [...parameters.values()]]);
  });
});
