import type { MfBprParameters } from '../../src/catalog/kinds/mfBpr.ts';
import type { OptimizerMethod } from '../../src/catalog/kinds/trainedParameters.ts';
import type { TrainingPart } from '../data/trainingPart.ts';
import { randomGenerator } from '../math/randomGenerator.ts';
import { type FactorNetwork, factorLoss, factorModel, initFactors } from '../models/factorNetwork.ts';
import type { MfModel, MfShape } from '../models/mfBpr.ts';
import { disposeOptimizer, initOptimizer } from '../training/optimizers/optimizerState.ts';
import { restoreTraining } from '../training/trainingCheckpoint.ts';
import { copyIn, initTraining, type TrainingState } from '../training/trainingState.ts';
import { trainNetwork } from '../training/trainNetwork.ts';
import { tripleBatches } from '../training/tripleBatches.ts';
import type { ExperimentContext } from './experiment.ts';
import { initialEmbeddings } from './initialEmbeddings.ts';
import type { MatrixEvaluation } from './matrixEvaluation.ts';
import { type OpenSmoothing, openSmoothing } from './openSmoothing.ts';
import { itemGraph, userItemGraph } from './smoothingGraph.ts';
import { optimizerSettings } from './trainedRanking.ts';

type Context = ExperimentContext<MfBprParameters>;
type Optimizer = NonNullable<MfBprParameters['optimizer']> & { method: OptimizerMethod };

const VALIDATION_CUTOFF = 10;
const DEFAULT_BATCH = 2048;

export interface OptimizedModel {
  model: MfModel;
  /** Epochs trained. */
  epoch: number;
  testedEpoch: number;
}

/**
 * The embeddings of users and items after training in batches of triples by an optimiser, with smoothing over items (SEvo's
 * I-I), or over users and items in one table where interactions have a weight in the graph (U-I).
 */
export async function optimizedMfBpr(
  context: Context,
  evaluation: MatrixEvaluation,
  { shape, optimizer }: { shape: MfShape; optimizer: Optimizer },
): Promise<OptimizedModel> {
  const { parameters, reporter, seed, cancellation } = context;
  await context.openTensorBackend();
  const isJoint = (optimizer.smoothing?.graph.weights.interactions ?? 0) > 0;
  const { init = { method: 'normal', deviation: parameters.initialDeviation } } = parameters;
  const start = await initialEmbeddings(context, init, { dimension: shape.dimension, sides: ['users', 'items'] });
  const network = initFactors(shape, { ...start, isJoint }, (name) => randomGenerator(seed, `mf-bpr ${name}`));
  const smoothing = await smooth(context, { network, training: evaluation.training, optimizer });
  const settings = optimizerSettings({ optimizer });
  const state = initTraining(network.parameters, initOptimizer(network.parameters, settings, smoothing?.own), seed);
  restore(context, state);
  const { batchSize = DEFAULT_BATCH, triples = 'users', epochs, evaluateEvery, patience, checkpointEvery } = parameters;
  await trainNetwork(state, {
    network: { parameters: network.parameters, loss: (batch) => factorLoss(network, batch) },
    batches: tripleBatches(evaluation.training, { batchSize, triples }),
    seed,
    epochs,
    evaluateEvery,
    validate: async () => {
      const metrics = evaluation.validate(await factorModel(network));
      return { metrics, score: metrics[`ndcg@${VALIDATION_CUTOFF}`]! };
    },
    patience,
    keepsBest: patience > 0,
    checkpointEvery,
    observer: reporter,
    monitor: smoothing?.monitor,
    throwIfCancelled: () => cancellation.throwIfCancelled(),
  });
  const best = patience > 0 ? state.best : null;
  if (best?.parameters != null) copyIn(network.parameters, best.parameters);
  const model = await factorModel(network);
  smoothing?.dispose();
  disposeOptimizer(state.optimizer);
  for (const parameter of network.parameters.values()) parameter.dispose();
  return { model, epoch: state.epoch, testedEpoch: best?.epoch ?? state.epoch };
}

async function smooth(
  context: Context,
  { network, training, optimizer }: { network: FactorNetwork; training: TrainingPart; optimizer: Optimizer },
): Promise<OpenSmoothing | null> {
  const { smoothing } = optimizer;
  if (smoothing === undefined) return null;
  const start = performance.now();
  const nodes = network.parameters.get('nodes');
  const graph = await (nodes === undefined ? itemGraph : userItemGraph)(context, training, smoothing.graph);
  context.reporter.timing('graph', (performance.now() - start) / 1000);
  const tables = new Map(nodes === undefined ? [['items', network.parameters.get('items')!]] : [['nodes', nodes]]);
  return openSmoothing({ parameters: smoothing, graph, tables, reporter: context.reporter });
}

function restore({ checkpoint, reporter }: Context, state: TrainingState): void {
  if (checkpoint === null) return;
  if (restoreTraining(state, checkpoint.bytes)) {
    reporter.log('info', `goes on from the checkpoint of epoch ${state.epoch}`);
  } else {
    reporter.log('warn', `the checkpoint of step ${checkpoint.step} cannot be used: training starts anew`);
  }
}
