import { afterAll, beforeAll, expect, test } from 'vitest';
import { leaveOneOut } from '#workers/data/split/leaveOneOut.ts';
import { loadSequenceDataset } from '#workers/data/load/loadSequenceDataset.ts';
import { trainingItems } from '#workers/data/split/trainingPart.ts';
import { experimentOf } from '#workers/experiments/registry.ts';
import { interactionGraph } from '#workers/graphs/interactionGraph.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { symmetricNormalisation } from '#workers/math/sparse/symmetricNormalisation.ts';
import { initFactors } from '#workers/models/factorNetwork.ts';
import { lightGcnLoss, lightGcnModel } from '#workers/models/lightGcn.ts';
import type { OpenBackend } from '#workers/tensor/openedBackend.ts';
import { openBackend } from '#workers/tensor/openBackend.ts';
import { sparseTensor } from '#workers/tensor/sparseTensor.ts';
import { tf } from '#workers/tensor/tf.ts';
import { selectionOf } from '../data/dataFiles.ts';
import { type GivenContext, lastValues, type Recorded, recordingContext } from './recordingContext.ts';

const DATASET = await loadSequenceDataset(selectionOf('generated/markov-120x60'), { folders: [], cacheFolder: null });
const SMALL = await loadSequenceDataset(selectionOf('generated/markov-24x30'), { folders: [], cacheFolder: null });
const COMMON = { dimension: 8, epochs: 6, batchSize: 64, evaluateEvery: 2, checkpointEvery: 2 };

let open: OpenBackend;
beforeAll(async () => {
  open = await openBackend({ forced: 'wasm', threads: 2 });
});
afterAll(() => open.close());

async function run(parameters: Record<string, unknown>, over: GivenContext = {}): Promise<Recorded> {
  const { recorded, context } = recordingContext<unknown>(DATASET, parameters, {
    openTensorBackend: async () => open,
    ...over,
  });
  await experimentOf('lightgcn')(context);
  return recorded;
}

const numbers = ({ metrics }: Recorded) => metrics.filter(({ name }) => !/^(time|system)\//.test(name));

/** Eqs. 3, 4, 8 and 15 of the paper, edge by edge in float64. */
function plainLoss(
  nodes: Float64Array,
  { triples, layers, regularization }: { triples: number[][]; layers: number; regularization: number },
): number {
  const split = leaveOneOut(SMALL);
  const { userCount, itemCount } = SMALL;
  const d = 4;
  const near = Array.from({ length: userCount + itemCount }, () => new Set<number>());
  for (let user = 0; user < userCount; user++) {
    for (const item of trainingItems(split, user)) {
      near[user]!.add(userCount + item);
      near[userCount + item]!.add(user);
    }
  }
  let last = nodes;
  const rows = nodes.map((value) => value / (layers + 1));
  for (let layer = 0; layer < layers; layer++) {
    const next = new Float64Array(nodes.length);
    for (const [node, others] of near.entries()) {
      for (const other of others) {
        const weight = 1 / Math.sqrt(others.size * near[other]!.size);
        for (let c = 0; c < d; c++) next[node * d + c]! += weight * last[other * d + c]!;
      }
    }
    for (const [at, value] of next.entries()) rows[at]! += value / (layers + 1);
    last = next;
  }
  const product = (table: Float64Array, a: number, b: number) => {
    let sum = 0;
    for (let c = 0; c < d; c++) sum += table[a * d + c]! * table[b * d + c]!;
    return sum;
  };
  let loss = 0;
  for (const [user, item, other] of triples as [number, number, number][]) {
    const [i, j] = [userCount + item, userCount + other];
    loss += Math.log1p(Math.exp(product(rows, user, j) - product(rows, user, i)));
    for (const node of [user, i, j]) loss += (regularization / 2) * product(nodes, node, node);
  }
  return loss / triples.length;
}

test('the loss and its slope are those of sums over edges, and leave no tensors', async () => {
  const split = leaveOneOut(SMALL);
  const shape = { userCount: SMALL.userCount, itemCount: SMALL.itemCount, dimension: 4 };
  const drawn = { method: 'normal', deviation: 0.7 } as const;
  const start = { users: drawn, items: drawn, isJoint: true };
  const factors = initFactors(shape, start, (name) => randomGenerator(1, name));
  const edges = interactionGraph({ dataset: SMALL, ends: split.trainEnd });
  const graph = sparseTensor(symmetricNormalisation(edges), { isSymmetric: true });
  const network = { factors, graph, layers: 2 };
  const triples = [
    [0, 3, 9],
    [5, 0, 29],
    [0, 7, 3],
  ];
  const column = (at: number) => Int32Array.from(triples, (triple) => triple[at]!);
  const batch = { users: column(0), items: column(1), others: column(2) };
  const before = tf.memory().numTensors;
  const nodes = factors.parameters.get('nodes')!;
  const { value, grads } = tf.variableGrads(() => lightGcnLoss(network, batch, 0.3), [nodes]);
  const at = Float64Array.from(nodes.dataSync());
  const loss = (values: Float64Array) => plainLoss(values, { triples, layers: 2, regularization: 0.3 });
  expect(value.dataSync()[0]).toBeCloseTo(loss(at), 5);
  const generator = randomGenerator(2, 'direction');
  const direction = at.map(() => generator.normal());
  const moved = (sign: number) => loss(at.map((entry, index) => entry + sign * 1e-5 * direction[index]!));
  const found = grads[nodes.name]!.dataSync<'float32'>();
  const slope = found.reduce((sum, entry, index) => sum + entry * direction[index]!, 0);
  expect(slope).toBeCloseTo((moved(1) - moved(-1)) / 2e-5, 3);
  tf.dispose([value, grads]);
  const model = await lightGcnModel(network);
  expect([model.users.length, model.items.length]).toEqual([4 * shape.userCount, 4 * shape.itemCount]);
  expect(tf.memory().numTensors).toBe(before);
  nodes.dispose();
  graph.dispose();
});

test.each([
  ['as it is', {}],
  ['smoothed', { smoothing: { beta: 0.5, graph: { weights: { interactions: 1 } } } }],
])('%s it goes on from each checkpoint to the same numbers, and leaves no tensors', async (_, optimizer) => {
  const parameters = { ...COMMON, optimizer };
  const before = tf.memory().numTensors;
  const whole = await run(parameters);
  expect(tf.memory().numTensors).toBe(before);
  expect(whole.checkpoints).toHaveLength(3);
  for (const checkpoint of whole.checkpoints) {
    const resumed = await run(parameters, { checkpoint });
    const later = numbers(whole).filter(({ name, step }) => step > checkpoint.step || name.startsWith('test/'));
    expect(numbers(resumed)).toEqual(later);
    expect(resumed.artifacts).toEqual(whole.artifacts);
  }
});

test('it ranks what users met above chance', async () => {
  const values = lastValues(await run({ ...COMMON, epochs: 40, optimizer: { learningRate: 0.05 } }));
  expect(values['test/hr@10']).toBeGreaterThan(1.5 * (10 / 60));
});
