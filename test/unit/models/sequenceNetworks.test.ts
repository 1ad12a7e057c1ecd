import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { gru4Rec, initGru4Rec } from '#workers/models/gru4Rec.ts';
import { initSasRec, sasRec, type SasRecOptions } from '#workers/models/sasRec.ts';
import {
  packHistories,
  represent,
  type SequenceBatch,
  type SequenceLoss,
  type SequenceNetwork,
  sequenceLoss,
} from '#workers/models/sequenceNetwork.ts';
import type { OpenBackend } from '#workers/tensor/openedBackend.ts';
import { openBackend } from '#workers/tensor/openBackend.ts';
import { tf } from '#workers/tensor/tf.ts';
import { type PlainParameters, slowGru4RecStates, slowLoss, slowSasRecStates } from './slowNetworks.ts';

const SHAPE = { itemCount: 13, dimension: 6, maximumLength: 9, blocks: 2, heads: 2 };
const GRU_SHAPE = { itemCount: 13, dimension: 6, hiddenSize: 5, layers: 2, maximumLength: 9 };
const SEQUENCES = [[3], [1, 4, 1, 5, 9, 2, 6, 5, 3], [12, 0], [7, 8, 9, 10, 11]];

interface Case {
  name: string;
  loss: SequenceLoss;
  rows: 'all' | 'last';
  /** Parameters with every entry away from its special start, such as biases of 0. */
  make(): { network: SequenceNetwork; slow(parameters: PlainParameters, items: readonly number[]): number[][] };
}

function sasRecCase(loss: SequenceLoss, options: Omit<SasRecOptions, 'dropout'>): Case {
  return {
    name: `sasrec ${loss} ${options.pads} ${options.residual}`,
    loss,
    rows: 'all',
    make: () => {
      const parameters = initSasRec(SHAPE, { method: 'normal', deviation: 0.5 }, (name) => randomGenerator(1, name));
      return {
        network: sasRec(disturbed(parameters), SHAPE, { ...options, dropout: 0 }),
        slow: (plain, items) => slowSasRecStates(plain, items, { shape: SHAPE, options }),
      };
    },
  };
}

function gruCase(loss: SequenceLoss, rows: 'all' | 'last'): Case {
  return {
    name: `gru4rec ${loss} ${rows}`,
    loss,
    rows,
    make: () => {
      const parameters = initGru4Rec(GRU_SHAPE, { method: 'uniform', deviation: 0.5 }, (name) =>
        randomGenerator(1, name),
      );
      return {
        network: gru4Rec(disturbed(parameters), GRU_SHAPE, { dropout: 0 }),
        slow: (plain, items) => slowGru4RecStates(plain, items, GRU_SHAPE),
      };
    },
  };
}

const CASES: Case[] = [
  sasRecCase('bce', { pads: 'attended', residual: 'input' }),
  sasRecCase('bpr', { pads: 'masked', residual: 'input' }),
  sasRecCase('softmax', { pads: 'masked', residual: 'normalised-query' }),
  sasRecCase('bce', { pads: 'attended', residual: 'normalised-query' }),
  gruCase('bpr', 'last'),
  gruCase('softmax', 'all'),
];

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

function batchOf(rows: 'all' | 'last', loss: SequenceLoss): SequenceBatch {
  const input = packHistories(
    SEQUENCES.map((items) => Uint32Array.from(items)),
    SHAPE.maximumLength,
  );
  const generator = randomGenerator(3, 'targets');
  const positions = rows === 'all' ? input.layout.tokens : input.layout.sequences;
  const draw = (count: number): Int32Array => Int32Array.from({ length: count }, () => generator.nextInt(13));
  return {
    ...input,
    rows: rows === 'all' ? null : input.rows,
    targets: draw(positions),
    negatives: draw(loss === 'softmax' ? 0 : 2 * positions),
  };
}

function plainOf(network: SequenceNetwork): Map<string, Float64Array> {
  return new Map([...network.parameters].map(([name, variable]) => [name, Float64Array.from(variable.dataSync())]));
}

function slowLossOf(
  plain: PlainParameters,
  batch: SequenceBatch,
  of: { slow: ReturnType<Case['make']>['slow']; loss: SequenceLoss },
) {
  const states = SEQUENCES.flatMap((items) => {
    const all = of.slow(plain, items);
    return batch.rows === null ? all : all.slice(-1);
  });
  const each = batch.negatives.length / batch.targets.length;
  const positions = states.map((state, index) => ({
    state,
    target: batch.targets[index]!,
    negatives: [...batch.negatives.subarray(index * each, (index + 1) * each)],
  }));
  return slowLoss(plain.get('items')!, positions, of.loss);
}

describe.each(['cpu', 'wasm'] as const)('on %s', (backend) => {
  let open: OpenBackend;
  beforeAll(async () => {
    open = await openBackend({ forced: backend, threads: 2 });
  });
  afterAll(() => open.close());

  test.each(CASES)('$name: packed loss and slope are those of the padded computation', ({ loss, rows, make }) => {
    const { network, slow } = make();
    const batch = batchOf(rows, loss);
    const variables = [...network.parameters.values()];
    const { value, grads } = tf.variableGrads(() => sequenceLoss(network, batch, { loss, draw: null }), variables);
    const plain = plainOf(network);
    expect(value.dataSync()[0]).toBeCloseTo(slowLossOf(plain, batch, { slow, loss }), 5);
    // the slope along one random direction per parameter, against a central difference
    const step = 1e-5;
    for (const [name, variable] of network.parameters) {
      const generator = randomGenerator(4, name);
      const direction = Float64Array.from({ length: variable.size }, () => generator.normal());
      const moved = (sign: number): number => {
        const values = plain.get(name)!.map((entry, index) => entry + sign * step * direction[index]!);
        return slowLossOf(new Map([...plain, [name, values]]), batch, { slow, loss });
      };
      const expected = (moved(1) - moved(-1)) / (2 * step);
      const slope = grads[variable.name]!.dataSync<'float32'>().reduce(
        (sum, entry, index) => sum + entry * direction[index]!,
        0,
      );
      expect(Math.abs(slope - expected), name).toBeLessThan(1e-4 * (1 + Math.abs(expected)));
    }
    tf.dispose([value, grads, variables]);
  });

  test('represents each history by the state after its last items, however they are batched', async () => {
    for (const { make } of [CASES[0]!, CASES[4]!]) {
      const { network, slow } = make();
      const long = Array.from({ length: 20 }, (_, index) => index % 13);
      const histories = [...SEQUENCES, long].map((items) => Uint32Array.from(items));
      const states = await represent(network, histories);
      const plain = plainOf(network);
      for (const [row, items] of [...SEQUENCES, long.slice(-9)].entries()) {
        for (const [column, expected] of slow(plain, items).at(-1)!.entries()) {
          expect(states[row * 6 + column]).toBeCloseTo(expected, 4);
        }
      }
      tf.dispose([...network.parameters.values()]);
    }
  });
});
