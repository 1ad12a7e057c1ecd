import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { bert4Rec, initBert4Rec } from '#workers/models/bert4Rec.ts';
import { MASKED } from '#workers/models/maskedItems.ts';
import { packHistories, type RankingNetwork, represent } from '#workers/models/sequenceNetwork.ts';
import { initStosa, stosa } from '#workers/models/stosa.ts';
import type { OpenBackend } from '#workers/tensor/openedBackend.ts';
import { openBackend } from '#workers/tensor/openBackend.ts';
import { tf } from '#workers/tensor/tf.ts';
import { slowBert4RecStates, slowItem, slowStosaStates, slowWasserstein } from './slowGaussians.ts';
import { type PlainParameters, product, rowOf } from './slowNetworks.ts';

const SHAPE = { itemCount: 13, dimension: 6, maximumLength: 9, blocks: 2, heads: 2 };
const SEQUENCES = [[3], [1, 4, 1, 5, 9, 2, 6, 5, 3], [12, 0], [7, 8, 9, 10, 11]];
const START = { method: 'normal', deviation: 0.5 } as const;
const HINGE = 0.3;

interface Made {
  network: RankingNetwork;
  loss(): tf.Scalar;
  slowLoss(p: PlainParameters): number;
  /** Scores of all items after a history, up to what they have in common. */
  slowScores(p: PlainParameters, history: readonly number[]): number[];
}

/** Every entry away from its special start, such as biases of 0. */
function disturbed(parameters: Map<string, tf.Variable>): Map<string, tf.Variable> {
  for (const [name, variable] of parameters) {
    const generator = randomGenerator(2, name);
    const noise = tf.tensor(
      Float32Array.from({ length: variable.size }, () => 0.2 * generator.normal()),
      variable.shape,
    );
    const sum = tf.add(variable, noise);
    variable.assign(sum);
    tf.dispose([noise, sum]);
  }
  return parameters;
}

const packed = (sequences: readonly number[][]) =>
  packHistories(
    sequences.map((items) => Uint32Array.from(items)),
    SHAPE.maximumLength,
  );
const all = Array.from({ length: SHAPE.itemCount }, (_, item) => item);

function madeBert4Rec(): Made {
  const start = { items: START, bound: 0.4 };
  const parameters = disturbed(initBert4Rec(SHAPE, start, (name) => randomGenerator(1, name)));
  const network = bert4Rec(parameters, SHAPE, { dropout: 0 });
  const masked = [[0], [1, 3, 8], [], [4]];
  const hidden = SEQUENCES.map((items, s) => items.map((item, at) => (masked[s]!.includes(at) ? MASKED : item)));
  const logits = (p: PlainParameters, state: number[]): number[] =>
    all.map((item) => product(state, rowOf(p.get('head/weight')!, item, 6)) + p.get('head/bias')![item]!);
  return {
    network,
    loss: () => {
      const { layout } = packed(SEQUENCES);
      const items = Int32Array.from(hidden.flat());
      const rows = Int32Array.from([...items.keys()].filter((row) => items[row] === MASKED));
      const targets = rows.map((row) => SEQUENCES.flat()[row]!);
      return network.loss({ items, layout, rows, targets }, null);
    },
    slowLoss: (p) => {
      const losses = hidden.flatMap((items, s) => {
        const states = slowBert4RecStates(p, items, SHAPE);
        return masked[s]!.map((at) => {
          const scores = logits(p, states[at]!);
          return Math.log(scores.reduce((sum, score) => sum + Math.exp(score), 0)) - scores[SEQUENCES[s]![at]!]!;
        });
      });
      return losses.reduce((sum, loss) => sum + loss, 0) / losses.length;
    },
    slowScores: (p, history) => logits(p, slowBert4RecStates(p, [...history.slice(-8), MASKED], SHAPE).at(-1)!),
  };
}

function madeStosa(means: 'encoded' | 'embedded'): Made {
  const shape = { ...SHAPE, means };
  const start = { items: START, mean: 0.01, deviation: 0.3 };
  const parameters = disturbed(initStosa(shape, start, (name) => randomGenerator(1, name)));
  const network = stosa(parameters, shape, { dropout: 0, attentionDropout: 0, hingeWeight: HINGE });
  const generator = randomGenerator(3, 'targets');
  const input = packed(SEQUENCES);
  const draw = (count: number): Int32Array => Int32Array.from({ length: count }, () => generator.nextInt(13));
  const batch = { ...input, rows: null, targets: draw(input.layout.tokens), negatives: draw(2 * input.layout.tokens) };
  return {
    network,
    loss: () => network.loss(batch, null),
    slowLoss: (p) => {
      const states = SEQUENCES.flatMap((items) => slowStosaStates(p, items, shape));
      const item = (which: number) => slowItem(p, which, 6);
      const losses = states.flatMap((state, at) =>
        [...batch.negatives.subarray(2 * at, 2 * at + 2)].map((negative) => {
          const positive = item(batch.targets[at]!);
          const near = slowWasserstein(state, positive);
          const far = slowWasserstein(state, item(negative));
          const hinge = Math.max(0, near - slowWasserstein(positive, item(negative)));
          return Math.log1p(Math.exp(near - far)) + HINGE * hinge;
        }),
      );
      return losses.reduce((sum, loss) => sum + loss, 0) / losses.length;
    },
    slowScores: (p, history) => {
      const state = slowStosaStates(p, history.slice(-9), shape).at(-1)!;
      return all.map((item) => -slowWasserstein(state, slowItem(p, item, 6)) / 2);
    },
  };
}

const CASES: [string, () => Made][] = [
  ['bert4rec', madeBert4Rec],
  ['stosa', () => madeStosa('encoded')],
  ['stosa with embedded means', () => madeStosa('embedded')],
];

const plainOf = (network: RankingNetwork): Map<string, Float64Array> =>
  new Map([...network.parameters].map(([name, variable]) => [name, Float64Array.from(variable.dataSync())]));

const less = (scores: readonly number[], first: number): number[] => scores.map((score) => score - first);

describe.each(['cpu', 'wasm'] as const)('on %s', (backend) => {
  let open: OpenBackend;
  beforeAll(async () => {
    open = await openBackend({ forced: backend, threads: 2 });
  });
  afterAll(() => open.close());

  test.each(CASES)('%s: packed loss and slope are those of the padded computation', (_, make) => {
    const { network, loss, slowLoss } = make();
    const variables = [...network.parameters.values()];
    const { value, grads } = tf.variableGrads(loss, variables);
    const plain = plainOf(network);
    expect(value.dataSync()[0]).toBeCloseTo(slowLoss(plain), 5);
    // the slope along one random direction per parameter, against a central difference
    const step = 1e-5;
    for (const [name, variable] of network.parameters) {
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
    tf.dispose([value, grads, variables]);
  });

  test.each(CASES)(
    '%s: products of rows and queries are the scores, however histories are batched',
    async (_, make) => {
      const { network, slowScores } = make();
      const before = tf.memory().numTensors;
      const histories = [...SEQUENCES, Array.from({ length: 20 }, (__, index) => index % 13)];
      const queries = await represent(
        network,
        histories.map((items) => Uint32Array.from(items)),
      );
      const rows = tf.tidy(() => network.itemRows());
      const columns = rows.shape[1];
      const table = Float64Array.from(rows.dataSync());
      rows.dispose();
      expect(tf.memory().numTensors).toBe(before);
      const plain = plainOf(network);
      for (const [at, history] of histories.entries()) {
        const query = [...queries.subarray(at * columns, (at + 1) * columns)];
        const scores = all.map((item) => product(query, rowOf(table, item, columns)));
        const expected = slowScores(plain, history);
        for (const [item, score] of less(scores, scores[0]!).entries()) {
          expect(score).toBeCloseTo(less(expected, expected[0]!)[item]!, 4);
        }
      }
      tf.dispose([...network.parameters.values()]);
    },
  );
});
