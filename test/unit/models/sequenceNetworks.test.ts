import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { bsaRec, initBsaRec } from '#workers/models/bsaRec.ts';
import { gru4Rec, initGru4Rec } from '#workers/models/gru4Rec.ts';
import { initLessr, lessr } from '#workers/models/lessr.ts';
import { initSasRec, sasRec, type SasRecOptions } from '#workers/models/sasRec.ts';
import {
  packHistories,
  represent,
  type SequenceBatch,
  type SequenceLoss,
  type SequenceNetwork,
  sequenceLoss,
} from '#workers/models/sequenceNetwork.ts';
import { initSrGnn, srGnn, srGnnStates } from '#workers/models/srGnn.ts';
import type { OpenBackend } from '#workers/tensor/openedBackend.ts';
import { openBackend } from '#workers/tensor/openBackend.ts';
import { sequenceLayout } from '#workers/tensor/sequenceLayout.ts';
import { tf } from '#workers/tensor/tf.ts';
import { slowBsaRecStates } from './slowBsaRec.ts';
import { slowLessrStates } from './slowLessr.ts';
import { slowSrGnnStates } from './slowSessionGraphs.ts';
import { type PlainParameters, slowGru4RecStates, slowLoss, slowSasRecStates } from './slowNetworks.ts';

const SHAPE = { itemCount: 13, dimension: 6, maximumLength: 9, blocks: 2, heads: 2 };
const GRU_SHAPE = { itemCount: 13, dimension: 6, hiddenSize: 5, layers: 2, maximumLength: 9 };
const SEQUENCES = [[3], [1, 4, 1, 5, 9, 2, 6, 5, 3], [12, 0], [7, 8, 9, 10, 11]];

interface Case {
  name: string;
  loss: SequenceLoss;
  rows: 'all' | 'last';
  /** Parameters with every entry away from its special start, such as biases of 0. */
  make(): {
    network: SequenceNetwork;
    slow(parameters: PlainParameters, items: readonly number[]): number[][];
    /** The rows that score, where they are not the embeddings. */
    slowTable?: ((parameters: PlainParameters) => Float64Array) | undefined;
  };
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

function srGnnCase(loss: SequenceLoss, rows: 'all' | 'last', steps: number): Case {
  const shape = { itemCount: 13, dimension: 6, steps, maximumLength: 9 };
  return {
    name: `sr-gnn ${loss} ${rows} ${steps}`,
    loss,
    rows,
    make: () => {
      const start = { method: 'uniform', deviation: 0.5 } as const;
      const parameters = initSrGnn(shape, start, (name) => randomGenerator(1, name));
      return {
        network: srGnn(disturbed(parameters), shape),
        slow: (plain, items) => slowSrGnnStates(plain, items, steps),
      };
    },
  };
}

/** Longer rows are scaled down in the table, too. */
const LESSR = { dropout: 0, batchNorm: false, maximumNorm: 0.9 };

function lessrCase(loss: SequenceLoss, rows: 'all' | 'last', layers: number): Case {
  const shape = { itemCount: 13, dimension: 6, layers, maximumLength: 9 };
  return {
    name: `lessr ${loss} ${rows} ${layers}`,
    loss,
    rows,
    make: () => {
      const parameters = initLessr(shape, { method: 'uniform', deviation: 0.5 }, LESSR, (name) =>
        randomGenerator(1, name),
      );
      return {
        network: lessr(disturbed(parameters), shape, { options: LESSR, sample: [] }),
        slow: (plain, items) => {
          const prefixes = items.map((_, at) => items.slice(0, at + 1));
          return slowLessrStates(plain, prefixes, { d: 6, layers, options: LESSR });
        },
        slowTable: (plain) => cappedRows(plain.get('items')!, 6, LESSR.maximumNorm),
      };
    },
  };
}

function cappedRows(table: Float64Array, d: number, longest: number): Float64Array {
  return table.map((value, at) => {
    const row = table.subarray(at - (at % d), at - (at % d) + d);
    return value * Math.min(1, longest / Math.hypot(...row));
  });
}

function bsaRecCase(loss: SequenceLoss, cutoff: number, maximumLength: number): Case {
  const shape = { ...SHAPE, maximumLength };
  const options = { dropout: 0, filterShare: 0.6, cutoff };
  return {
    name: `bsarec ${loss} up to ${cutoff} of ${maximumLength}`,
    loss,
    rows: 'last',
    make: () => {
      const parameters = initBsaRec(shape, { method: 'normal', deviation: 0.5 }, (name) => randomGenerator(1, name));
      return {
        network: bsaRec(disturbed(parameters), shape, options),
        slow: (plain, items) => slowBsaRecStates(plain, items, { shape, options }),
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
  srGnnCase('softmax', 'last', 1),
  srGnnCase('bpr', 'all', 2),
  lessrCase('softmax', 'last', 3),
  lessrCase('bpr', 'all', 2),
  bsaRecCase('softmax', 3, 9),
  bsaRecCase('bpr', 10, 10),
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
  of: Pick<ReturnType<Case['make']>, 'slow' | 'slowTable'> & { loss: SequenceLoss },
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
  return slowLoss(of.slowTable?.(plain) ?? plain.get('items')!, positions, of.loss);
}

describe.each(['cpu', 'wasm'] as const)('on %s', (backend) => {
  let open: OpenBackend;
  beforeAll(async () => {
    open = await openBackend({ forced: backend, threads: 2 });
  });
  afterAll(() => open.close());

  test.each(CASES)('$name: packed loss and slope are those of the padded computation', ({ loss, rows, make }) => {
    const { network, slow, slowTable } = make();
    const batch = batchOf(rows, loss);
    const variables = [...network.parameters.values()];
    const { value, grads } = tf.variableGrads(() => sequenceLoss(network, batch, { loss, draw: null }), variables);
    const plain = plainOf(network);
    expect(value.dataSync()[0]).toBeCloseTo(slowLossOf(plain, batch, { slow, slowTable, loss }), 5);
    // the slope along one random direction per parameter, against a central difference
    const step = 1e-5;
    for (const [name, variable] of network.parameters) {
      const generator = randomGenerator(4, name);
      const direction = Float64Array.from({ length: variable.size }, () => generator.normal());
      const moved = (sign: number): number => {
        const values = plain.get(name)!.map((entry, index) => entry + sign * step * direction[index]!);
        return slowLossOf(new Map([...plain, [name, values]]), batch, { slow, slowTable, loss });
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
    for (const { make } of [CASES[0]!, CASES[4]!, CASES[6]!, CASES[8]!, CASES[10]!]) {
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

test('graphs of sessions that need too much memory are refused before they are made', () => {
  const input = { items: new Int32Array(20_000), layout: sequenceLayout([20_000]), rows: null };
  const shape = { itemCount: 1, dimension: 64, steps: 1, maximumLength: 20_000 };
  expect(() => srGnnStates(new Map(), input, shape)).toThrow(
    /200010000 items.*the limit is 4\.00 GiB.*smaller batchSize/,
  );
});
