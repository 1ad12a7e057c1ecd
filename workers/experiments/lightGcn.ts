import type { LightGcnParameters } from '../../src/catalog/kinds/lightGcn.ts';
import type { TrainingPart } from '../data/trainingPart.ts';
import { interactionGraph } from '../graphs/interactionGraph.ts';
import { randomGenerator } from '../math/randomGenerator.ts';
import { symmetricNormalisation } from '../math/symmetricNormalisation.ts';
import { initFactors } from '../models/factorNetwork.ts';
import { lightGcnLoss, lightGcnModel } from '../models/lightGcn.ts';
import { sparseTensor } from '../tensor/sparseTensor.ts';
import type { tf } from '../tensor/tf.ts';
import type { Experiment, ExperimentContext } from './experiment.ts';
import { initialEmbeddings } from './embeddings/initialEmbeddings.ts';
import { matrixEvaluation } from './ranking/matrixEvaluation.ts';
import { type OpenSmoothing, openSmoothing } from './embeddings/openSmoothing.ts';
import { userItemGraph } from './embeddings/smoothingGraph.ts';
import { testFactors } from './ranking/testedFactors.ts';
import { trainFactors } from './ranking/trainedFactors.ts';
import { optimizerSettings } from './ranking/trainedRanking.ts';

type Context = ExperimentContext<LightGcnParameters>;

const VALIDATION_CUTOFF = 10;

/**
 * LightGCN over the graph of the training interactions. A user is a node, so what validates is no part of the test input, as
 * with mf-bpr. `train/loss`, `time/epoch` and `valid/*` stand at their epoch, `test/*` at the last; the rows that score are
 * left as artifacts.
 */
export const lightGcn: Experiment<LightGcnParameters> = async (context) => {
  const { dataset, parameters, seed } = context;
  const { dimension, layers, regularization, batchSize, init, select } = parameters;
  const evaluation = matrixEvaluation(context, VALIDATION_CUTOFF);
  const { training } = evaluation;
  const shape = { userCount: dataset.userCount, itemCount: dataset.itemCount, dimension };
  const start = await initialEmbeddings(context, init, { dimension, sides: ['users', 'items'] });
  await context.openTensorBackend();
  const factors = initFactors(shape, { ...start, isJoint: true }, (name) => randomGenerator(seed, `lightgcn ${name}`));
  const edges = interactionGraph({ dataset: training.dataset, ends: training.trainEnd });
  const graph = sparseTensor(symmetricNormalisation(edges), { isSymmetric: true });
  const network = { factors, graph, layers };
  try {
    const trained = await trainFactors(context, evaluation, {
      parameters: factors.parameters,
      loss: (batch) => lightGcnLoss(network, batch, regularization),
      model: () => lightGcnModel(network),
      settings: optimizerSettings(parameters),
      smoothing: await smooth(context, { nodes: factors.parameters.get('nodes')!, training }),
      batches: { batchSize, triples: 'users' },
      keepsBest: select === 'best',
    });
    await testFactors(context, evaluation, trained);
  } finally {
    graph.dispose();
  }
};

async function smooth(
  context: Context,
  { nodes, training }: { nodes: tf.Variable; training: TrainingPart },
): Promise<OpenSmoothing | null> {
  const { smoothing } = context.parameters.optimizer;
  if (smoothing === undefined) return null;
  const graph = await userItemGraph(context, training, smoothing.graph);
  return openSmoothing({
    parameters: smoothing,
    graph,
    tables: new Map([['nodes', nodes]]),
    reporter: context.reporter,
  });
}
