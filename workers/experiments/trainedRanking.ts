import type { OptimizerMethod } from '../../src/catalog/kinds/trainedParameters.ts';
import type { LeaveOneOut } from '../data/leaveOneOut.ts';
import { encodeNpy } from '../data/npyFile.ts';
import { rankingMetrics } from '../evaluation/rankingMetrics.ts';
import { type SequenceLoss, type SequenceNetwork, sequenceLoss } from '../models/sequenceNetwork.ts';
import { disposeOptimizer, initOptimizer } from '../training/optimizers/optimizerState.ts';
import type { OptimizerSettings } from '../training/optimizers/optimizerSettings.ts';
import { sequenceBatches } from '../training/sequenceBatches.ts';
import type { TrainableNetwork } from '../training/trainableNetwork.ts';
import { restoreTraining } from '../training/trainingCheckpoint.ts';
import { copyIn, initTraining, type TrainingState } from '../training/trainingState.ts';
import { trainNetwork, type Validation } from '../training/trainNetwork.ts';
import type { ExperimentContext } from './experiment.ts';
import { type Candidates, splitForRanking } from './leaveOneOutRanking.ts';
import { rankTestItems, rankValidationItems } from './networkRanking.ts';
import { reportRanking } from './reportRanking.ts';

/** Parameters that decide training and evaluation, whatever the network. */
export interface TrainedSequenceParameters extends Candidates {
  epochs: number;
  batchSize: number;
  negatives: number;
  loss: SequenceLoss;
  optimizer: {
    method: OptimizerMethod;
    learningRate: number;
    weightDecay: number;
    beta1: number;
    beta2: number;
    epsilon: number;
    momentum: number;
  };
  evaluateEvery: number;
  select: 'best' | 'last';
  patience: number;
  checkpointEvery: number;
}

type Context = ExperimentContext<TrainedSequenceParameters>;

/** By whose NDCG and hit rate epochs are compared. */
const VALIDATION_CUTOFF = 10;

interface Ranking {
  split: LeaveOneOut;
  network: SequenceNetwork;
}

/**
 * Trains a sequence network on x_1 … x_{n-2} of every user, validates against x_{n-1} after x_1 … x_{n-2}, and at the end
 * ranks for x_n after x_1 … x_{n-1}, leave-one-out. `test/*` stands at the last epoch. Leaves the item embeddings tested.
 * `open` makes the network once its backend is open.
 */
export async function trainAndRank(
  context: Context,
  samples: 'positions' | 'prefixes',
  open: () => SequenceNetwork,
): Promise<void> {
  const { parameters, reporter, seed, cancellation } = context;
  const split = splitForRanking(context.dataset, reporter);
  await context.openTensorBackend();
  const network = open();
  const { batchSize, loss, epochs, evaluateEvery, patience, checkpointEvery, select } = parameters;
  const negatives = loss === 'softmax' ? 0 : parameters.negatives;
  const batches = sequenceBatches(split, { batchSize, maximumLength: network.maximumLength, samples, negatives });
  const state = initTraining(
    network.parameters,
    initOptimizer(network.parameters, optimizerSettings(parameters)),
    seed,
  );
  restore(context, state);
  const trainable: TrainableNetwork<Parameters<typeof batches.sizeOf>[0]> = {
    parameters: network.parameters,
    loss: (batch, draw) => sequenceLoss(network, batch, { loss, draw }),
  };
  reporter.note(
    'trainedNumbers',
    [...network.parameters.values()].reduce((sum, { size }) => sum + size, 0),
  );
  await trainNetwork(state, {
    network: trainable,
    batches,
    seed,
    epochs,
    evaluateEvery,
    validate: () => validate(context, { split, network }),
    patience,
    keepsBest: select === 'best',
    checkpointEvery,
    observer: reporter,
    throwIfCancelled: () => cancellation.throwIfCancelled(),
  });
  const best = select === 'best' ? state.best : null;
  if (best?.parameters != null) copyIn(network.parameters, best.parameters);
  reporter.note('testedEpoch', best?.epoch ?? state.epoch);
  await test(context, { split, network }, state.epoch);
  disposeOptimizer(state.optimizer);
  for (const parameter of network.parameters.values()) parameter.dispose();
}

/** What the optimiser is told, of a kind's parameters. */
export function optimizerSettings({ optimizer }: Pick<TrainedSequenceParameters, 'optimizer'>): OptimizerSettings {
  const { method, learningRate, weightDecay, momentum, beta1, beta2, epsilon } = optimizer;
  if (method === 'sgd') return { name: method, learningRate, weightDecay, momentum };
  return { name: method, learningRate, weightDecay, beta1, beta2, epsilon };
}

/** Goes on from the run's checkpoint where there is one that fits. */
function restore({ checkpoint, reporter }: Context, state: TrainingState): void {
  if (checkpoint === null) return;
  if (restoreTraining(state, checkpoint.bytes)) {
    reporter.log('info', `goes on from the checkpoint of epoch ${state.epoch}`);
  } else {
    reporter.log('warn', `the checkpoint of step ${checkpoint.step} cannot be used: training starts anew`);
  }
}

async function validate(context: Context, { split, network }: Ranking): Promise<Validation> {
  const { parameters } = context;
  const cutoffs = [...new Set([...parameters.cutoffs, VALIDATION_CUTOFF])].sort((a, b) => a - b);
  const { ranks } = await rankValidationItems(context, { split, network, listLength: 1 });
  const metrics = rankingMetrics(ranks, cutoffs);
  return { metrics, score: metrics[`ndcg@${VALIDATION_CUTOFF}`]! };
}

async function test(context: Context, { split, network }: Ranking, step: number): Promise<void> {
  const { parameters, reporter } = context;
  const start = performance.now();
  const ranked = await rankTestItems(context, { split, network, listLength: Math.max(...parameters.cutoffs) });
  const rankings = parameters.cutoffs.map((cutoff) => ({ cutoff, ranked }));
  reportRanking(split, reporter, { rankings, part: 'test', step });
  reporter.timing('evaluate', (performance.now() - start) / 1000);
  const embeddings = Float32Array.from(await network.items.data<'float32'>());
  reporter.artifact('item-embeddings.npy', encodeNpy(embeddings, network.items.shape), 'application/octet-stream');
}
