import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { leaveOneOut } from '#workers/data/split/leaveOneOut.ts';
import { interactionGraph } from '#workers/graphs/interactionGraph.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import type { SparseMatrix } from '#workers/math/sparse/sparseMatrix.ts';
import { counterBits, counterKey } from '#workers/math/random/counterRandom.ts';
import { symmetricNormalisation } from '#workers/math/sparse/symmetricNormalisation.ts';
import { dgcfLoss, dgcfModel, drawnNodes } from '#workers/models/dgcf.ts';
import { initFactors, type TripleBatch } from '#workers/models/factorNetwork.ts';
import type { MfModel } from '#workers/models/mfBpr.ts';
import { type LightGcn, lightGcnLoss, lightGcnModel } from '#workers/models/lightGcn.ts';
import { initNgcfLayers, ngcfLoss, ngcfModel } from '#workers/models/ngcf.ts';
import { simGclLoss, simGclModel, type SimGclOptions } from '#workers/models/simGcl.ts';
import type { OpenBackend } from '#workers/tensor/openedBackend.ts';
import { openBackend } from '#workers/tensor/openBackend.ts';
import { twinsOf } from '#workers/tensor/operations/edgeFactors.ts';
import { type SparseTensor, sparseTensor } from '#workers/tensor/sparseTensor.ts';
import { tf } from '#workers/tensor/tf.ts';
import { checkGraphMemory } from '#workers/training/graphRecommender.ts';
import { datasetOf } from '../data/dataFiles.ts';
import {
  meanOf,
  neighboursOf,
  nodeRows,
  type SlowDgcf,
  slowDependence,
  slowDgcfRows,
  slowInfoNce,
  slowLightGcnRows,
  slowNgcfRows,
  slowSimGclLayers,
  slowTripleLoss,
} from './slowGraphs.ts';
import type { PlainParameters, Vector } from './slowNetworks.ts';

// the last two of a user's three items or more are no edges: item 6 is isolated
const TRAINING = leaveOneOut(
  datasetOf(
    [
      [0, 1, 2, 5, 6],
      [2, 3, 0, 4, 5],
      [4, 1, 5, 6],
      [1, 5],
      [3, 4, 6],
    ],
    7,
  ),
);
const NEAR = neighboursOf(TRAINING);
const SHAPE = { userCount: 5, itemCount: 7, dimension: 4 };
const REGULARIZATION = 0.3;
type Triple = readonly [user: number, item: number, other: number];
const TRIPLES: readonly Triple[] = [
  [0, 1, 4],
  [1, 3, 6],
  [3, 0, 5],
  [1, 2, 1],
];
const NODE_TRIPLES = TRIPLES.map(([user, item, other]): Triple => [user, 5 + item, 5 + other]);
const column = (at: number): Int32Array => Int32Array.from(TRIPLES, (triple) => triple[at]!);
const BATCH: TripleBatch = { users: column(0), items: column(1), others: column(2) };

interface Made {
  parameters: ReadonlyMap<string, tf.Variable>;
  loss(): tf.Scalar;
  model(): Promise<MfModel>;
}

interface Case {
  name: string;
  make(nodes: LightGcn['factors']['parameters'], graph: SparseTensor, pattern: SparseMatrix): Made;
  slowLoss(p: PlainParameters): number;
  slowRows(p: PlainParameters): Vector[];
}

const generatorOf = (name: string) => randomGenerator(1, name);

function ngcfCase(handsOn: 'plain' | 'unit'): Case {
  const shape = { ...SHAPE, layers: [3, 5] };
  const rows = (p: PlainParameters): Vector[] => slowNgcfRows(p, NEAR, { layers: 2, handsOn });
  return {
    name: `ngcf, hands on ${handsOn} rows`,
    make: (nodes, graph) => {
      const parameters = new Map([...nodes, ...initNgcfLayers(shape, generatorOf)]);
      const network = { parameters, graph, shape, options: { dropout: 0, handsOn } };
      return {
        parameters,
        loss: () => ngcfLoss(network, BATCH, { regularization: REGULARIZATION, draw: null }),
        model: () => ngcfModel(network),
      };
    },
    slowRows: rows,
    slowLoss: (p) => slowTripleLoss(rows(p), NODE_TRIPLES, { regularization: REGULARIZATION }),
  };
}

function lightGcnCase(): Case {
  const rows = (p: PlainParameters): Vector[] => slowLightGcnRows(nodeRows(p, NEAR.length), NEAR, 2);
  return {
    name: 'lightgcn',
    make: (parameters, graph) => {
      const factors: LightGcn['factors'] = { parameters, shape: SHAPE };
      const network = { factors, graph, layers: 2 };
      return {
        parameters,
        loss: () => lightGcnLoss(network, BATCH, REGULARIZATION),
        model: () => lightGcnModel(network),
      };
    },
    slowRows: rows,
    slowLoss: (p) =>
      slowTripleLoss(rows(p), NODE_TRIPLES, { regularization: REGULARIZATION, kept: nodeRows(p, NEAR.length) }),
  };
}

function simGclCase(views: SimGclOptions['views']): Case {
  const options = { layers: 2, views, noise: 0.3, temperature: 0.4, contrast: 0.6, regularization: REGULARIZATION };
  const draw = { seed: 5, step: 2 };
  const layersOf = (p: PlainParameters, site: number | null): Vector[][] =>
    slowSimGclLayers(nodeRows(p, NEAR.length), NEAR, {
      layers: 2,
      noise: 0.3,
      uniform:
        site === null
          ? null
          : (layer) => (index) => counterBits(counterKey({ ...draw, site: site + layer }), index) / 2 ** 32,
    });
  const slowLoss = (p: PlainParameters): number => {
    const learnt = layersOf(p, views === 'two-draws' ? null : 0);
    const [first, second] =
      views === 'two-draws'
        ? [meanOf(layersOf(p, 0)), meanOf(layersOf(p, 2))]
        : [meanOf(learnt), learnt[views.layer - 1]!];
    const contrast = [0, 1].reduce((sum, side) => {
      const nodes = NODE_TRIPLES.map((triple) => triple[side]!);
      return sum + slowInfoNce(first, second, { nodes, temperature: 0.4 });
    }, 0);
    const kept = nodeRows(p, NEAR.length);
    return slowTripleLoss(meanOf(learnt), NODE_TRIPLES, { regularization: REGULARIZATION, kept }) + 0.6 * contrast;
  };
  return {
    name: `simgcl ${views === 'two-draws' ? views : 'across layers'}`,
    make: (parameters, graph) => {
      const network = { factors: { parameters, shape: SHAPE }, graph, options };
      return { parameters, loss: () => simGclLoss(network, BATCH, draw), model: () => simGclModel(network) };
    },
    slowRows: (p) => meanOf(layersOf(p, null)),
    slowLoss,
  };
}

function dgcfCase(of: SlowDgcf): Case {
  const { factors: blocks, layers, iterations } = of;
  const options = {
    ...{ factors: blocks, layers, iterations, regularization: REGULARIZATION },
    ...{ independence: 0.8, independenceNodes: 4 },
  };
  const draw = { seed: 5, step: 2 };
  const rows = (p: PlainParameters): Vector[] => slowDgcfRows(nodeRows(p, NEAR.length), NEAR, of);
  return {
    name: `dgcf of ${blocks} factors, ${layers} layers`,
    make: (parameters, graph, pattern) => {
      const edges = { rows: graph.plain, twins: twinsOf(pattern) };
      const network = { factors: { parameters, shape: SHAPE }, edges, options };
      return { parameters, loss: () => dgcfLoss(network, BATCH, draw), model: () => dgcfModel(network) };
    },
    slowRows: rows,
    slowLoss: (p) => {
      const found = rows(p);
      const drawn = (site: number, count: number): number[] => drawnNodes({ ...draw, site }, { wanted: 4, count });
      const nodes = [...drawn(0, 5), ...drawn(1, 7).map((item) => 5 + item)];
      const dependence = slowDependence(
        nodes.map((node) => found[node]!),
        blocks,
      );
      const kept = nodeRows(p, NEAR.length);
      return slowTripleLoss(found, NODE_TRIPLES, { regularization: REGULARIZATION, kept }) + 0.8 * dependence;
    },
  };
}

const CASES: Case[] = [
  dgcfCase({ factors: 2, layers: 1, iterations: 2 }),
  dgcfCase({ factors: 4, layers: 2, iterations: 1 }),
  lightGcnCase(),
  ngcfCase('plain'),
  ngcfCase('unit'),
  simGclCase('two-draws'),
  simGclCase({ layer: 1 }),
];

describe.each(['cpu', 'wasm'] as const)('on %s', (backend) => {
  let open: OpenBackend;
  beforeAll(async () => {
    open = await openBackend({ forced: backend, threads: 2 });
  });
  afterAll(() => open.close());

  test.each(CASES)('$name: loss, slope and rows are those of the formulas', async ({ make, slowLoss, slowRows }) => {
    const before = tf.memory().numTensors;
    const drawn = { method: 'normal', deviation: 0.7 } as const;
    const { parameters: nodes } = initFactors(SHAPE, { users: drawn, items: drawn, isJoint: true }, generatorOf);
    const edges = interactionGraph({ dataset: TRAINING.dataset, ends: TRAINING.trainEnd });
    const graph = sparseTensor(symmetricNormalisation(edges), { isSymmetric: true });
    const { parameters, loss, model } = make(nodes, graph, edges);
    const variables = [...parameters.values()];
    const { value, grads } = tf.variableGrads(loss, variables);
    const plain = new Map([...parameters].map(([name, table]) => [name, Float64Array.from(table.dataSync())]));
    expect(value.dataSync()[0]).toBeCloseTo(slowLoss(plain), 5);
    // the slope along one random direction per parameter, against a central difference
    const step = 1e-6;
    for (const [name, variable] of parameters) {
      const generator = randomGenerator(4, name);
      const direction = Float64Array.from({ length: variable.size }, () => generator.normal());
      const moved = (sign: number): number => {
        const values = plain.get(name)!.map((entry, index) => entry + sign * step * direction[index]!);
        return slowLoss(new Map([...plain, [name, values]]));
      };
      const expected = (moved(1) - moved(-1)) / (2 * step);
      const gradient = grads[variable.name]!.dataSync<'float32'>();
      const slope = gradient.reduce((sum, entry, index) => sum + entry * direction[index]!, 0);
      expect(Math.abs(slope - expected), name).toBeLessThan(1e-4 * (1 + Math.abs(expected)));
    }
    const { users, items, dimension } = await model();
    const rows = slowRows(plain);
    expect(users.length + items.length).toBe(rows.length * dimension);
    for (const [at, found] of [...users, ...items].entries()) {
      expect(found).toBeCloseTo(rows[Math.floor(at / dimension)]![at % dimension]!, 5);
    }
    tf.dispose([value, grads, variables]);
    graph.dispose();
    expect(tf.memory().numTensors).toBe(before);
  });
});

test('a graph that is too large says what it needs', () => {
  const size = { nodes: 10_000_000, entries: 400_000_000, numbersPerNode: 500 };
  expect(() => checkGraphMemory(size)).toThrow(/10000000 users and items with 200000000 edges needs about 23\.1 GiB/);
  expect(() => checkGraphMemory({ ...size, nodes: 100_000, numbersPerEntry: 16 })).toThrow(/needs about 28\.5 GiB/);
  expect(() => checkGraphMemory({ ...size, nodes: 10_000, entries: 400_000 })).not.toThrow();
});
