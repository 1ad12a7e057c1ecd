import type { SmoothingParameters } from '#src/catalog/parameters/smoothingParameters.ts';
import { badInput, WarrenError } from '#src/base/contracts/errors.ts';
import type { SequenceDataset } from '#workers/data/prepare/sequenceDataset.ts';
import type { TrainingPart } from '#workers/data/split/trainingPart.ts';
import { interactionMatrix, type SequencePart } from '#workers/graphs/featureSets.ts';
import { interactionGraph } from '#workers/graphs/interactionGraph.ts';
import { mixedGraph, type WeightedGraph, withIsolatedNodes } from '#workers/graphs/mixedGraph.ts';
import { nearestNeighbourGraph } from '#workers/graphs/nearestNeighbourGraph.ts';
import { sharedFeatureGraph } from '#workers/graphs/sharedFeatureGraph.ts';
import { transitionGraph } from '#workers/graphs/transitionGraph.ts';
import { sparseFromTriplets } from '#workers/math/sparse/sparseFromTriplets.ts';
import type { SparseMatrix } from '#workers/math/sparse/sparseMatrix.ts';
import { transposeSparse } from '#workers/math/sparse/transposeSparse.ts';
import { NumericThreads } from '#workers/wasm/threads/numericThreads.ts';
import type { TrainingContext } from '../trainingContext.ts';

type Context = Pick<TrainingContext, 'compute' | 'cancellation' | 'data'>;
type GraphParameters = SmoothingParameters['graph'];

/** The graph of items (items, items) that the parameters ask for, from the training part. Throws BAD_INPUT where users are in it. */
export async function itemGraph(
  context: Context,
  training: TrainingPart,
  parameters: GraphParameters,
): Promise<SparseMatrix> {
  if (parameters.weights.interactions > 0) {
    throw badInput(
      `parameters.optimizer.smoothing.graph.weights.interactions: received ${parameters.weights.interactions}, but only items have embeddings here: 0 is expected`,
      'parameters.optimizer.smoothing.graph.weights.interactions',
    );
  }
  return mixedGraph(await itemGraphs(context, training, parameters));
}

/** The graph of users and items (users + items)², users first: interactions and the graphs of items that have a weight. */
export async function userItemGraph(
  context: Context,
  training: TrainingPart,
  parameters: GraphParameters,
): Promise<SparseMatrix> {
  const { userCount, itemCount } = training.dataset;
  const place = { before: userCount, nodes: userCount + itemCount };
  const parts = (await itemGraphs(context, training, parameters)).map(({ graph, weight }) => ({
    graph: withIsolatedNodes(graph, place),
    weight,
  }));
  return mixedGraph([{ graph: interactionGraph(partOf(training)), weight: parameters.weights.interactions }, ...parts]);
}

async function itemGraphs(
  context: Context,
  training: TrainingPart,
  parameters: GraphParameters,
): Promise<WeightedGraph[]> {
  const { transitions, neighbours, genres } = parameters.weights;
  const graphs: WeightedGraph[] = [];
  if (transitions > 0) graphs.push({ graph: transitionGraph(partOf(training), parameters), weight: transitions });
  if (neighbours > 0) graphs.push({ graph: await neighbourGraph(context, training, parameters), weight: neighbours });
  if (genres > 0) graphs.push({ graph: await genreGraph(context, training.dataset), weight: genres });
  return graphs;
}

function partOf(training: TrainingPart): SequencePart {
  return { dataset: training.dataset, ends: training.trainEnd };
}

async function neighbourGraph(
  { compute: { threads }, cancellation }: Context,
  training: TrainingPart,
  { neighbours, similarity }: GraphParameters,
): Promise<SparseMatrix> {
  const numeric = await NumericThreads.open(threads);
  try {
    const sets = transposeSparse(interactionMatrix(partOf(training)));
    const pulse = (): void => cancellation.throwIfCancelled();
    return nearestNeighbourGraph(numeric, sets, { neighbours, similarity, pulse });
  } finally {
    await numeric.close();
  }
}

async function genreGraph({ data }: Context, dataset: SequenceDataset): Promise<SparseMatrix> {
  const known = await data.items();
  const numbers = new Map<string, number>();
  const rows: number[] = [];
  const columns: number[] = [];
  for (const [item, id] of dataset.itemIds.entries()) {
    for (const genre of known.get(id)?.genres ?? []) {
      if (!numbers.has(genre)) numbers.set(genre, numbers.size);
      rows.push(item);
      columns.push(numbers.get(genre)!);
    }
  }
  if (numbers.size === 0) {
    throw new WarrenError('DATA_ERROR', `dataset "${dataset.name}": no genre of its items is known`, {
      path: 'parameters.optimizer.smoothing.graph.weights.genres',
    });
  }
  return sharedFeatureGraph(
    sparseFromTriplets({ rowCount: dataset.itemCount, columnCount: numbers.size, rows, columns }),
  );
}
