import type { SmoothingParameters } from '../../../src/catalog/parameters/smoothingParameters.ts';
import type { OptimizerMethod } from '../../../src/catalog/parameters/trainedParameters.ts';
import type { LeaveOneOut } from '../../data/leaveOneOut.ts';
import { encodeNpy } from '../../data/npyFile.ts';
import { rankingMetrics } from '../../evaluation/rankingMetrics.ts';
import {
  type RankingNetwork,
  type SequenceLoss,
  type SequenceNetwork,
  type StepDraw,
  rankingOf,
  sequenceLoss,
} from '../../models/sequenceNetwork.ts';
import type { tf } from '../../tensor/tf.ts';
import { disposeOptimizer, initOptimizer } from '../../training/optimizers/optimizerState.ts';
import type { OptimizerSettings } from '../../training/optimizers/optimizerSettings.ts';
import { sequenceBatches } from '../../training/sequenceBatches.ts';
import type { BatchSource, TrainableNetwork } from '../../training/trainableNetwork.ts';
import { restoreTraining } from '../../training/trainingCheckpoint.ts';
import { copyIn, initTraining, type TrainingState } from '../../training/trainingState.ts';
import { trainNetwork, type Validation } from '../../training/trainNetwork.ts';
import type { ExperimentContext } from '../experiment.ts';
import { type Candidates, splitForRanking } from './leaveOneOutRanking.ts';
import { rankTestItems, rankValidationItems } from './networkRanking.ts';
import { type OpenSmoothing, openSmoothing } from '../embeddings/openSmoothing.ts';
import { reportRanking } from './reportRanking.ts';
import { itemGraph } from '../embeddings/smoothingGraph.ts';

/** Parameters that decide training and evaluation, whatever the network. */
export interface TrainedRankingParameters extends Candidates {
  epochs: number;
  batchSize: number;
  optimizer: {
    method: OptimizerMethod;
    learningRate: number;
    weightDecay: number;
    beta1: number;
    beta2: number;
    epsilon: number;
    momentum: number;
    maximumGradientNorm?: number | undefined;
    smoothing?: SmoothingParameters | undefined;
  };
  init: { frozen?: boolean | undefined };
  evaluateEvery: number;
  select: 'best' | 'last';
  patience: number;
  checkpointEvery: number;
}

/** What networks that predict the next item have, too. */
export interface TrainedSequenceParameters extends TrainedRankingParameters {
  negatives: number;
  loss: SequenceLoss;
}

type Context = ExperimentContext<TrainedRankingParameters>;

/** What is trained, of which batches, by which loss. */
export interface TrainingRecipe<Network, Batch> {
  /** Makes the network, once its backend is open. */
  open(): Network;
  batches(split: LeaveOneOut, network: Network): BatchSource<Batch>;
  /** Mean loss over the positions of a batch: a scalar, differentiable in the parameters. */
  loss(network: Network, batch: Batch, draw: StepDraw): tf.Scalar;
}

/** By whose NDCG and hit rate epochs are compared. */
const VALIDATION_CUTOFF = 10;

interface Ranking {
  split: LeaveOneOut;
  network: SequenceNetwork | RankingNetwork;
}

/** `trainAndRankBy` for a network that predicts the next item, made by `open` once its backend is open. */
export async function trainAndRank(
  context: ExperimentContext<TrainedSequenceParameters>,
  samples: 'positions' | 'prefixes',
  open: () => SequenceNetwork,
): Promise<void> {
  const { batchSize, loss } = context.parameters;
  const negatives = loss === 'softmax' ? 0 : context.parameters.negatives;
  await trainAndRankBy(context, {
    open,
    batches: (split, { maximumLength }) => sequenceBatches(split, { batchSize, maximumLength, samples, negatives }),
    loss: (network, batch, draw) => sequenceLoss(network, batch, { loss, draw }),
  });
}

/**
 * Trains a network on x_1 … x_{n-2} of every user, validates against x_{n-1} after x_1 … x_{n-2}, and at the end
 * ranks for x_n after x_1 … x_{n-1}, leave-one-out. `test/*` stands at the last epoch. Leaves the item embeddings tested.
 */
export async function trainAndRankBy<Network extends SequenceNetwork | RankingNetwork, Batch>(
  context: Context,
  { open, batches: batchesOf, loss }: TrainingRecipe<Network, Batch>,
): Promise<void> {
  const { parameters, reporter, seed, cancellation } = context;
  const split = splitForRanking(context.dataset, reporter);
  await context.openTensorBackend();
  const network = open();
  const { epochs, evaluateEvery, patience, checkpointEvery, select } = parameters;
  const batches = batchesOf(split, network);
  const smoothing = await smoothItems(context, { split, network });
  const trained = trainedParameters(network.parameters, parameters.init);
  const optimizer = initOptimizer(trained, optimizerSettings(parameters), smoothing?.own);
  const state = initTraining(trained, optimizer, seed);
  try {
    restore(context, state);
    const trainable: TrainableNetwork<Batch> = {
      parameters: trained,
      loss: (batch, draw) => loss(network, batch, draw),
    };
    reporter.note(
      'trainedNumbers',
      [...trained.values()].reduce((sum, { size }) => sum + size, 0),
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
      monitor: smoothing?.monitor,
      throwIfCancelled: () => cancellation.throwIfCancelled(),
    });
    const best = select === 'best' ? state.best : null;
    if (best?.parameters != null) copyIn(trained, best.parameters);
    reporter.note('testedEpoch', best?.epoch ?? state.epoch);
    await test(context, { split, network }, state.epoch);
  } finally {
    smoothing?.dispose();
    disposeOptimizer(state.optimizer);
    for (const parameter of network.parameters.values()) parameter.dispose();
  }
}

/** The tables of embeddings among a network's parameters, by a part of their names. */
const EMBEDDINGS = new Set(['items', 'users']);

/** What is trained of these parameters: all, or with `frozen` all but the embeddings of items and users. */
export function trainedParameters(
  parameters: ReadonlyMap<string, tf.Variable>,
  { frozen = false }: { frozen?: boolean | undefined },
): ReadonlyMap<string, tf.Variable> {
  return frozen
    ? new Map([...parameters].filter(([name]) => !name.split('/').some((part) => EMBEDDINGS.has(part))))
    : parameters;
}

/** What the optimiser is told, of a kind's parameters. */
export function optimizerSettings({ optimizer }: Pick<TrainedRankingParameters, 'optimizer'>): OptimizerSettings {
  const { method, learningRate, weightDecay, maximumGradientNorm, momentum, beta1, beta2, epsilon } = optimizer;
  const common = { learningRate, weightDecay, maximumGradientNorm };
  if (method === 'sgd') return { name: method, ...common, momentum };
  return { name: method, ...common, beta1, beta2, epsilon };
}

/** Smoothing of the network's embeddings of items where the parameters ask for it, else null. */
async function smoothItems(context: Context, { split, network }: Ranking): Promise<OpenSmoothing | null> {
  const { parameters, reporter } = context;
  const { smoothing } = parameters.optimizer;
  if (smoothing === undefined) return null;
  const start = performance.now();
  const graph = await itemGraph(context, split, smoothing.graph);
  reporter.timing('graph', (performance.now() - start) / 1000);
  const tables = new Map(rankingOf(network).embeddings.map((name) => [name, network.parameters.get(name)!]));
  return openSmoothing({ parameters: smoothing, graph, tables, reporter });
}

/** Goes on from the run's checkpoint where there is one that fits. */
export function restore(
  { checkpoint, reporter }: Pick<Context, 'checkpoint' | 'reporter'>,
  state: TrainingState,
): void {
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
