import type { LeaveOneOut } from '#workers/data/split/leaveOneOut.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { factorLoss, initFactors } from '#workers/models/factorNetwork.ts';
import { gru4Rec, initGru4Rec } from '#workers/models/gru4Rec.ts';
import { initSasRec, sasRec } from '#workers/models/sasRec.ts';
import { type SequenceLoss, type SequenceNetwork, sequenceLoss } from '#workers/models/sequenceNetwork.ts';
import { sequenceBatches } from '#workers/training/batches/sequenceBatches.ts';
import type { GraphSmoothing } from '#workers/training/smoothing/graphSmoothing.ts';
import { smoothedTables } from '#workers/training/smoothing/smoothedTables.ts';
import type { BatchSource, TrainableNetwork } from '#workers/training/trainableNetwork.ts';
import { networkLearner } from '#workers/training/networkLearner.ts';
import { quietObserver, trainEpochs } from '#workers/training/trainLoop.ts';
import { tripleBatches } from '#workers/training/batches/tripleBatches.ts';

const WIDTH = 64;
const LENGTH = 50;
const STEPS = 30;
const ROUNDS = 7;
const INIT = { method: 'xavier-normal' } as const;
const OPTIMIZER = {
  name: 'adamw',
  learningRate: 1e-3,
  weightDecay: 0.1,
  beta1: 0.9,
  beta2: 0.98,
  epsilon: 1e-8,
} as const;

/** A network and its batches, each with a type of its own. */
interface Opened<Batch> {
  network: TrainableNetwork<Batch>;
  batches: BatchSource<Batch>;
}

/** What a step of some kind is; `time` passes it on with its type. */
type StepCase = <Result>(split: LeaveOneOut, time: <Batch>(open: () => Opened<Batch>) => Result) => Result;

function sequenceCase(
  open: (itemCount: number) => SequenceNetwork,
  { loss, samples }: { loss: SequenceLoss; samples: 'positions' | 'prefixes' },
): StepCase {
  return (split, time) =>
    time(() => {
      const network = open(split.dataset.itemCount);
      return {
        network: {
          parameters: network.parameters,
          loss: (batch, draw) => sequenceLoss(network, batch, { loss, draw }),
        },
        batches: sequenceBatches(split, { batchSize: 512, maximumLength: LENGTH, samples, negatives: 1 }),
      };
    });
}

/** SEvo's backbones with the authors' settings on Amazon Beauty. */
export const SEVO_STEPS: Readonly<Record<'sasrec' | 'gru4rec' | 'mf-bpr', StepCase>> = {
  sasrec: sequenceCase(
    (itemCount) => {
      const shape = { itemCount, dimension: WIDTH, maximumLength: LENGTH, blocks: 2, heads: 1 };
      const parameters = initSasRec(shape, INIT, (name) => randomGenerator(1, name));
      return sasRec(parameters, shape, { dropout: 0.3, pads: 'attended', residual: 'input' });
    },
    { loss: 'bce', samples: 'positions' },
  ),
  gru4rec: sequenceCase(
    (itemCount) => {
      const shape = { itemCount, dimension: WIDTH, hiddenSize: WIDTH, layers: 1, maximumLength: LENGTH };
      const parameters = initGru4Rec(shape, INIT, (name) => randomGenerator(1, name));
      return gru4Rec(parameters, shape, { dropout: 0.4 });
    },
    { loss: 'bpr', samples: 'prefixes' },
  ),
  'mf-bpr': (split, time) =>
    time(() => {
      const { userCount, itemCount } = split.dataset;
      const start = { users: INIT, items: INIT, isJoint: false };
      const factors = initFactors({ userCount, itemCount, dimension: WIDTH }, start, (name) =>
        randomGenerator(1, name),
      );
      return {
        network: { parameters: factors.parameters, loss: (batch) => factorLoss(factors, batch) },
        batches: tripleBatches(split, { batchSize: 2048, triples: 'users' }),
      };
    }),
};

/** Seconds of a training step without and with smoothing of the items, `ROUNDS` of each in turns after one that warms up. */
export async function stepSeconds(
  split: LeaveOneOut,
  step: StepCase,
  smoothing: GraphSmoothing,
): Promise<{ plain: number[]; smoothed: number[] }> {
  return step(split, async (open) => {
    const plain = trainer(open(), null);
    const smoothed = trainer(open(), smoothing);
    const seconds = { plain: [] as number[], smoothed: [] as number[] };
    for (let round = 0; round <= ROUNDS; round++) {
      const [without, having] = [await plain.train(), await smoothed.train()];
      if (round === 0) continue;
      seconds.plain.push(without);
      seconds.smoothed.push(having);
    }
    plain.dispose();
    smoothed.dispose();
    return seconds;
  });
}

function trainer<Batch>({ network, batches }: Opened<Batch>, smoothing: GraphSmoothing | null) {
  const table = network.parameters.get('items')!;
  const corrected = { momentCorrection: true, epsilonInRoot: false };
  const own =
    smoothing === null ? undefined : smoothedTables(new Map([['items', { table, smoothing }]]), corrected).own;
  let seconds = Number.NaN;
  const observer = quietObserver({
    metric: (name, _, value) => {
      if (name === 'time/epoch') seconds = value / STEPS;
    },
  });
  const learner = networkLearner({
    network,
    optimizer: OPTIMIZER,
    own,
    batches: firstBatches(batches),
    ...{ seed: 1, epochs: 1, patience: 0, keepsBest: false, observer },
    throwIfCancelled: () => undefined,
    dispose: () => {
      for (const parameter of network.parameters.values()) parameter.dispose();
    },
  });
  const train = async (): Promise<number> => {
    await trainEpochs(learner, { epochs: learner.epoch + 1, observer });
    return seconds;
  };
  const dispose = (): void => void learner.dispose();
  return { train, dispose };
}

/** The first `STEPS` batches of an epoch, which are made within the time that counts. */
function firstBatches<Batch>(batches: BatchSource<Batch>): BatchSource<Batch> {
  return {
    ...batches,
    batchesPerEpoch: STEPS,
    *epoch(streams) {
      let taken = 0;
      for (const batch of batches.epoch(streams)) {
        if (taken++ === STEPS) return;
        yield batch;
      }
    },
  };
}
