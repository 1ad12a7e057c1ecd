import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { packHistories, represent, type SequenceBatch } from '#workers/models/sequenceNetwork.ts';
import { initTwoTowers, type TowerShape, twoTowers } from '#workers/models/twoTowers.ts';
import { openBackend } from '#workers/tensor/openBackend.ts';
import type { OpenBackend } from '#workers/tensor/openedBackend.ts';
import { tf } from '#workers/tensor/tf.ts';
import { type PlainParameters, rowOf, slowLoss, times, type Vector } from './slowNetworks.ts';

const ITEMS = 11;
const DIMENSION = 5;
const SEQUENCES = [[3], [1, 4, 1, 5, 9, 2], [10, 0, 7]];
const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));

function randomTable(): Float32Array {
  const generator = randomGenerator(1, 'representations');
  return Float32Array.from({ length: ITEMS * DIMENSION }, () => generator.normal());
}

function made(hasConstant: boolean, layers: number) {
  const shape: TowerShape = { dimension: DIMENSION, width: 4, layers, hasConstant, maximumLength: 6 };
  const parameters = initTwoTowers(shape, (name) => randomGenerator(2, name));
  // away from biases of 0
  for (const [name, variable] of parameters) {
    const generator = randomGenerator(3, name);
    const noise = Float32Array.from({ length: variable.size }, () => 0.3 * generator.normal());
    tf.tidy(() => variable.assign(tf.add(variable, tf.tensor(noise, variable.shape))));
  }
  const table = tf.tidy(() => tf.variable(tf.tensor2d(randomTable(), [ITEMS, DIMENSION]), false));
  return { shape, parameters, table, network: twoTowers(parameters, table, shape) };
}

function dense(p: PlainParameters, tower: string, x: Vector, layers: number): Vector {
  let value = x;
  for (let layer = 0; layer < layers; layer++) {
    const name = `${tower}/dense${layer}`;
    value = times(value, p.get(`${name}/weight`)!, p.get(`${name}/bias`)!).map(sigmoid);
  }
  return value;
}

/** (length, D) What the user's tower makes of each prefix, one number at a time. */
function slowUsers(p: PlainParameters, items: readonly number[], { width, layers, hasConstant }: TowerShape): Vector[] {
  let state: Vector = Array.from({ length: width }, () => 0);
  const table = Float64Array.from(randomTable());
  return items.map((item) => {
    const i = times(rowOf(table, item, DIMENSION), p.get('gru/input')!, p.get('gru/input-bias')!);
    const s = times(state, p.get('gru/hidden')!, p.get('gru/hidden-bias')!);
    state = state.map((before, c) => {
      const update = sigmoid(i[width + c]! + s[width + c]!);
      const next = Math.tanh(i[2 * width + c]! + sigmoid(i[c]! + s[c]!) * s[2 * width + c]!);
      return (1 - update) * next + update * before;
    });
    return [...dense(p, 'user', state, layers), ...(hasConstant ? [1] : [])];
  });
}

function slowItems(p: PlainParameters, { layers, hasConstant }: TowerShape): Float64Array {
  const table = Float64Array.from(randomTable());
  const constant = hasConstant ? [p.get('constant')![0]!] : [];
  return Float64Array.from(
    Array.from({ length: ITEMS }, (_, item) => [
      ...dense(p, 'item', rowOf(table, item, DIMENSION), layers),
      ...constant,
    ]).flat(),
  );
}

function batch(): SequenceBatch {
  const input = packHistories(
    SEQUENCES.map((items) => Uint32Array.from(items)),
    6,
  );
  const generator = randomGenerator(4, 'targets');
  const draw = (count: number): Int32Array => Int32Array.from({ length: count }, () => generator.nextInt(ITEMS));
  return { ...input, rows: null, targets: draw(input.layout.tokens), negatives: draw(3 * input.layout.tokens) };
}

describe.each(['cpu', 'wasm'] as const)('on %s', (backend) => {
  let open: OpenBackend;
  beforeAll(async () => {
    open = await openBackend({ forced: backend, threads: 1 });
  });
  afterAll(() => open.close());

  test.each([
    ['bce', 1],
    ['bpr', 2],
  ] as const)('two towers, %s, %i dense layers: loss and slopes are those of the plain computation', (loss, layers) => {
    const { shape, parameters, table, network } = made(loss === 'bce', layers);
    const { targets, negatives, ...input } = batch();
    const variables = [...parameters.values()];
    const { value, grads } = tf.variableGrads(() => network.loss({ ...input, targets, negatives }), variables);
    const plain = new Map([...parameters].map(([name, one]) => [name, Float64Array.from(one.dataSync())]));
    const slow = (p: PlainParameters): number => {
      const states = SEQUENCES.flatMap((items) => slowUsers(p, items, shape));
      const positions = states.map((state, at) => ({
        state,
        target: targets[at]!,
        negatives: [...negatives.subarray(3 * at, 3 * at + 3)],
      }));
      return slowLoss(slowItems(p, shape), positions, loss);
    };
    expect(value.dataSync()[0]).toBeCloseTo(slow(plain), 5);
    for (const [name, variable] of parameters) {
      const generator = randomGenerator(5, name);
      const direction = Float64Array.from({ length: variable.size }, () => generator.normal());
      const moved = (step: number): number =>
        slow(new Map([...plain, [name, plain.get(name)!.map((entry, at) => entry + step * direction[at]!)]]));
      const expected = (moved(1e-5) - moved(-1e-5)) / 2e-5;
      const slopes = grads[variable.name]!.dataSync<'float32'>();
      const slope = slopes.reduce((sum, entry, at) => sum + entry * direction[at]!, 0);
      expect(Math.abs(slope - expected), name).toBeLessThan(1e-4 * (1 + Math.abs(expected)));
    }
    tf.dispose([value, grads, variables, table]);
  });

  test('a query times the rows of the items is the score after the whole history', async () => {
    const { shape, parameters, table, network } = made(true, 1);
    const histories = SEQUENCES.map((items) => Uint32Array.from(items));
    const users = await represent(network, histories);
    const rows = tf.tidy(() => network.itemRows().dataSync<'float32'>());
    const plain = new Map([...parameters].map(([name, one]) => [name, Float64Array.from(one.dataSync())]));
    const width = shape.width + 1;
    for (const [row, items] of SEQUENCES.entries()) {
      const expected = slowUsers(plain, items, shape).at(-1)!;
      for (const [column, entry] of expected.entries()) expect(users[row * width + column]).toBeCloseTo(entry, 5);
    }
    for (const [at, entry] of slowItems(plain, shape).entries()) expect(rows[at]).toBeCloseTo(entry, 5);
    tf.dispose([...parameters.values(), table]);
  });

  test('before training all scores are about 0', () => {
    const shape: TowerShape = { dimension: DIMENSION, width: 16, layers: 1, hasConstant: true, maximumLength: 6 };
    const parameters = initTwoTowers(shape, (name) => randomGenerator(6, name));
    const table = tf.tidy(() => tf.variable(tf.tensor2d(randomTable(), [ITEMS, DIMENSION]), false));
    const network = twoTowers(parameters, table, shape);
    const scores = tf.tidy(() => {
      const queries = network.queries(SEQUENCES.map((items) => Uint32Array.from(items)));
      return [...tf.matMul(queries, network.itemRows(), false, true).dataSync()];
    });
    for (const score of scores) expect(Math.abs(score)).toBeLessThan(1.5);
    tf.dispose([...parameters.values(), table]);
  });
});
