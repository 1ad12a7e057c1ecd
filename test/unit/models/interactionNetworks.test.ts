import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { dlr2, type Dlr2Options, type Dlr2Shape, initDlr2 } from '#workers/models/dlr2.ts';
import { hgn, initHgn } from '#workers/models/hgn.ts';
import type { InteractionBatch, InteractionNetwork } from '#workers/models/interactionNetwork.ts';
import { initNcf, ncf } from '#workers/models/ncf.ts';
import type { OpenBackend } from '#workers/tensor/openedBackend.ts';
import { openBackend } from '#workers/tensor/openBackend.ts';
import { tf } from '#workers/tensor/tf.ts';
import {
  slowDlr2Loss,
  slowDlr2Scores,
  slowHgnLoss,
  slowHgnScores,
  slowNcfLoss,
  slowNcfScores,
  type SlowMoment,
} from './slowInteractions.ts';
import type { PlainParameters } from './slowNetworks.ts';

const COUNTS = { userCount: 4, itemCount: 9 };
const START = { users: { method: 'normal', deviation: 0.7 }, items: { method: 'normal', deviation: 0.7 } } as const;
const generatorOf = (name: string) => randomGenerator(1, name);

interface Case {
  name: string;
  make(): InteractionNetwork;
  loss(parameters: PlainParameters, moments: readonly SlowMoment[]): number;
  scores(parameters: PlainParameters, moment: SlowMoment): number[];
}

const PAPER: Dlr2Options = {
  losses: 'both',
  inference: 'discriminative',
  discriminativeMargin: 0.5,
  generativeMargin: 0.3,
  rectified: true,
  distance: 'euclidean',
};
const AUTHOR: Dlr2Options = { ...PAPER, rectified: false, distance: 'mean-square' };

function dlr2Case(over: Partial<Dlr2Shape>, options: Dlr2Options): Case {
  const shape: Dlr2Shape = {
    ...COUNTS,
    dimension: 4,
    recent: 3,
    layout: 'sequence',
    architecture: 'resnet',
    channels: 4,
    tower: [7, 5],
    ...over,
  };
  return {
    name: `dlr2 ${shape.architecture} ${shape.layout} ${shape.channels} ${options.losses} ${options.inference} ${options.distance}`,
    make: () => dlr2(initDlr2(shape, START, generatorOf), shape, options),
    loss: (p, moments) => slowDlr2Loss(p, moments, { shape, options }),
    scores: (p, moment) => slowDlr2Scores(p, moment, { shape, options }),
  };
}

const NCF_SHAPE = { ...COUNTS, dimension: 4, layers: [5, 3] };
const HGN_SHAPE = { ...COUNTS, dimension: 4, recent: 3, targets: 2 };
const CASES: Case[] = [
  dlr2Case({}, PAPER),
  dlr2Case({ layout: 'image', channels: 2 }, AUTHOR),
  dlr2Case({ architecture: 'only-conv', channels: 6 }, { ...AUTHOR, losses: 'discriminative' }),
  dlr2Case({ architecture: 'no-conv' }, { ...PAPER, losses: 'generative', inference: 'generative' }),
  dlr2Case({ architecture: 'revnet' }, { ...AUTHOR, inference: 'generative' }),
  dlr2Case({ architecture: 'revnet', layout: 'image', recent: 2, channels: 4 }, PAPER),
  {
    name: 'ncf',
    make: () => ncf(initNcf(NCF_SHAPE, START, generatorOf), NCF_SHAPE),
    loss: (p, moments) => slowNcfLoss(p, NCF_SHAPE, moments),
    scores: (p, { user }) => slowNcfScores(p, NCF_SHAPE, user),
  },
  {
    name: 'hgn',
    make: () => hgn(initHgn(HGN_SHAPE, START, generatorOf), HGN_SHAPE),
    loss: (p, moments) => slowHgnLoss(p, HGN_SHAPE, moments),
    scores: (p, moment) => slowHgnScores(p, HGN_SHAPE, moment),
  },
];

/** Five samples, the first with fewer items than are looked back at. */
function momentsFor({ recent, targets }: InteractionNetwork): SlowMoment[] {
  const generator = randomGenerator(3, 'moments');
  const draw = (): number => generator.nextInt(COUNTS.itemCount);
  return Array.from({ length: 5 }, (_, sample) => ({
    user: generator.nextInt(COUNTS.userCount),
    recent: Array.from({ length: recent }, (__, at) => (sample === 0 && at < recent - 1 ? -1 : draw())),
    positives: Array.from({ length: targets }, draw),
    negatives: Array.from({ length: targets }, () => [draw(), draw()]),
  }));
}

function batchOf(moments: readonly SlowMoment[]): InteractionBatch {
  return {
    users: Int32Array.from(moments, ({ user }) => user),
    recent: Int32Array.from(moments.flatMap(({ recent }) => recent)),
    positives: Int32Array.from(moments.flatMap(({ positives }) => positives)),
    negatives: Int32Array.from(moments.flatMap(({ negatives }) => negatives.flat())),
  };
}

describe.each(['cpu', 'wasm'] as const)('on %s', (backend) => {
  let open: OpenBackend;
  beforeAll(async () => {
    open = await openBackend({ forced: backend, threads: 2 });
  });
  afterAll(() => open.close());

  test.each(CASES)('$name: loss, slope and scores are those of the formulas', ({ make, loss, scores }) => {
    const before = tf.memory().numTensors;
    const network = make();
    const variables = [...network.parameters.values()];
    const moments = momentsFor(network);
    const batch = batchOf(moments);
    const plain = new Map([...network.parameters].map(([name, table]) => [name, Float64Array.from(table.dataSync())]));
    const { value, grads } = tf.variableGrads(() => network.loss(batch, null), variables);
    expect(value.dataSync()[0]).toBeCloseTo(loss(plain, moments), 5);
    const step = 1e-6;
    for (const [name, variable] of network.parameters) {
      const generator = randomGenerator(4, name);
      const direction = Float64Array.from({ length: variable.size }, () => generator.normal());
      const moved = (sign: number): number => {
        const values = plain.get(name)!.map((entry, index) => entry + sign * step * direction[index]!);
        return loss(new Map([...plain, [name, values]]), moments);
      };
      const expected = (moved(1) - moved(-1)) / (2 * step);
      const gradient = grads[variable.name]?.dataSync<'float32'>() ?? new Float32Array(variable.size);
      const slope = gradient.reduce((sum, entry, index) => sum + entry * direction[index]!, 0);
      expect(Math.abs(slope - expected), name).toBeLessThan(1e-4 * (1 + Math.abs(expected)));
    }
    const found = network.scores(batch);
    const rows = found.arraySync();
    for (const [row, moment] of moments.entries()) {
      for (const [item, expected] of scores(plain, moment).entries()) expect(rows[row]![item]).toBeCloseTo(expected, 4);
    }
    tf.dispose([value, grads, found, variables]);
    expect(tf.memory().numTensors).toBe(before);
  });
});
