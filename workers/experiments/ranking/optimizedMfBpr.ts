import type { MfBprParameters } from '../../../src/catalog/kinds/mfBpr.ts';
import type { OptimizerMethod } from '../../../src/catalog/parameters/trainedParameters.ts';
import type { TrainingPart } from '../../data/trainingPart.ts';
import { randomGenerator } from '../../math/randomGenerator.ts';
import { type FactorNetwork, factorLoss, factorModel, initFactors } from '../../models/factorNetwork.ts';
import type { MfShape } from '../../models/mfBpr.ts';
import type { ExperimentContext } from '../experiment.ts';
import { initialEmbeddings } from '../embeddings/initialEmbeddings.ts';
import type { MatrixEvaluation } from './matrixEvaluation.ts';
import { type OpenSmoothing, openSmoothing } from '../embeddings/openSmoothing.ts';
import { itemGraph, userItemGraph } from '../embeddings/smoothingGraph.ts';
import type { OptimizedModel } from './testedFactors.ts';
import { trainFactors } from './trainedFactors.ts';
import { optimizerSettings } from './trainedRanking.ts';

type Context = ExperimentContext<MfBprParameters>;
type Optimizer = NonNullable<MfBprParameters['optimizer']> & { method: OptimizerMethod };

const DEFAULT_BATCH = 2048;

/**
 * The embeddings of users and items after training in batches of triples by an optimiser, with smoothing over items (SEvo's
 * I-I), or over users and items in one table where interactions have a weight in the graph (U-I).
 */
export async function optimizedMfBpr(
  context: Context,
  evaluation: MatrixEvaluation,
  { shape, optimizer }: { shape: MfShape; optimizer: Optimizer },
): Promise<OptimizedModel> {
  const { parameters, seed } = context;
  await context.openTensorBackend();
  const isJoint = (optimizer.smoothing?.graph.weights.interactions ?? 0) > 0;
  const { init = { method: 'normal', deviation: parameters.initialDeviation } } = parameters;
  const start = await initialEmbeddings(context, init, { dimension: shape.dimension, sides: ['users', 'items'] });
  const network = initFactors(shape, { ...start, isJoint }, (name) => randomGenerator(seed, `mf-bpr ${name}`));
  const smoothing = await smooth(context, { network, training: evaluation.training, optimizer });
  const { batchSize = DEFAULT_BATCH, triples = 'users', patience } = parameters;
  return trainFactors(context, evaluation, {
    parameters: network.parameters,
    loss: (batch) => factorLoss(network, batch),
    model: () => factorModel(network),
    settings: optimizerSettings({ optimizer }),
    smoothing,
    batches: { batchSize, triples },
    keepsBest: patience > 0,
  });
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
