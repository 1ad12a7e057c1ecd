import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { type ElmanOptions, type ElmanShape, elmanRecommender, initElman } from '#workers/models/elmanRecommender.ts';
import {
  packHistories,
  type SequenceBatch,
  type SequenceNetwork,
  sequenceLoss,
} from '#workers/models/sequenceNetwork.ts';
import type { OpenBackend } from '#workers/tensor/openedBackend.ts';
import { openBackend } from '#workers/tensor/openBackend.ts';
import { tf } from '#workers/tensor/tf.ts';
import { type PlainParameters, slowElmanStates, slowLoss } from './slowNetworks.ts';

const SEQUENCES = [[3], [1, 4, 1, 5, 9, 2, 6, 5, 3], [12, 0], [7, 8, 9, 10, 11]];
const SIGMAS = { recurrent: 1.4, input: 0.8, readOut: 1.2, bias: 0.3 };

function makeNetwork(
  over: Partial<ElmanShape> & Partial<ElmanOptions>,
  parameters: Map<string, tf.Variable> | null = null,
): { network: SequenceNetwork; shape: ElmanShape; options: ElmanOptions } {
  const { activation = 'tanh', parametrisation = 'standard', sigmas = SIGMAS, ...rest } = over;
  const shape: ElmanShape = { itemCount: 13, width: 5, layers: 1, tiesEmbeddings: true, maximumLength: 9, ...rest };
  const options: ElmanOptions = { activation, parametrisation, sigmas };
  const values =
    parameters ??
    initElman(shape, { ...options, items: { method: 'xavier-normal' } }, (name) => randomGenerator(1, name));
  return { network: elmanRecommender(values, shape, options), shape, options };
}

const batch: SequenceBatch = (() => {
  const input = packHistories(
    SEQUENCES.map((items) => Uint32Array.from(items)),
    9,
  );
  const generator = randomGenerator(3, 'targets');
  const targets = Int32Array.from({ length: input.layout.tokens }, () => generator.nextInt(13));
  return { ...input, rows: null, targets, negatives: new Int32Array(0) };
})();

const plainOf = (network: SequenceNetwork): Map<string, Float64Array> =>
  new Map([...network.parameters].map(([name, variable]) => [name, Float64Array.from(variable.dataSync())]));

/** (tokens × items) */
function scoresOf(network: SequenceNetwork): Float32Array {
  return tf.tidy(() => tf.matMul(network.states(batch, null), network.items, false, true).dataSync<'float32'>());
}

describe.each(['cpu', 'wasm'] as const)('on %s', (backend) => {
  let open: OpenBackend;
  beforeAll(async () => {
    open = await openBackend({ forced: backend, threads: 2 });
  });
  afterAll(() => open.close());

  test.each<Partial<ElmanShape> & Partial<ElmanOptions>>([
    { parametrisation: 'standard', activation: 'relu', tiesEmbeddings: true },
    { parametrisation: 'standard', activation: 'tanh', tiesEmbeddings: false, layers: 2 },
    { parametrisation: 'ntk', activation: 'relu', tiesEmbeddings: false, layers: 2 },
    { parametrisation: 'ntk', activation: 'tanh', tiesEmbeddings: true },
  ])('%o: loss and slopes are those of Eqs. 5 to 7 written out', (over) => {
    const { network, shape, options } = makeNetwork(over);
    const table = shape.tiesEmbeddings ? 'items' : 'read-out';
    const slowLossOf = (plain: PlainParameters): number => {
      const states = SEQUENCES.flatMap((items) => slowElmanStates(plain, items, { shape, options }));
      const positions = states.map((state, at) => ({ state, target: batch.targets[at]!, negatives: [] }));
      return slowLoss(plain.get(table)!, positions, 'softmax');
    };
    const variables = [...network.parameters.values()];
    const { value, grads } = tf.variableGrads(
      () => sequenceLoss(network, batch, { loss: 'softmax', draw: null }),
      variables,
    );
    const plain = plainOf(network);
    expect(value.dataSync()[0]).toBeCloseTo(slowLossOf(plain), 4);
    const step = 1e-6;
    for (const [name, variable] of network.parameters) {
      const generator = randomGenerator(4, name);
      const direction = Float64Array.from({ length: variable.size }, () => generator.normal());
      const moved = (sign: number): number => {
        const values = plain.get(name)!.map((entry, index) => entry + sign * step * direction[index]!);
        return slowLossOf(new Map([...plain, [name, values]]));
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

  test.each([true, false])('scores of both parametrisations agree after rescaling, tied: %s', (tiesEmbeddings) => {
    const width = 5;
    const ntk = makeNetwork({ width, layers: 2, tiesEmbeddings, activation: 'relu', parametrisation: 'ntk' });
    const root = Math.sqrt(width);
    const scaleOf = (name: string): number => {
      if (name === 'items') return SIGMAS.input;
      if (name === 'read-out') return SIGMAS.readOut / root;
      if (name.endsWith('/hidden')) return SIGMAS.recurrent / root;
      return name.endsWith('/input') ? SIGMAS.input / root : SIGMAS.bias;
    };
    const scaled = new Map(
      [...ntk.network.parameters].map(([name, variable]) => [
        name,
        tf.tidy(() => tf.variable(tf.mul(variable, scaleOf(name)))),
      ]),
    );
    const usual = makeNetwork({ width, layers: 2, tiesEmbeddings, activation: 'relu' }, scaled);
    // tied items are read out at the scale of the input
    const left = tiesEmbeddings ? SIGMAS.readOut / root / SIGMAS.input : 1;
    const expected = scoresOf(usual.network);
    for (const [at, score] of scoresOf(ntk.network).entries()) {
      expect(Math.abs(score - left * expected[at]!)).toBeLessThan(1e-5 * (1 + Math.abs(score)));
    }
    tf.dispose([...ntk.network.parameters.values(), ...scaled.values()]);
  });
});
