import { WarrenError } from '#src/base/contracts/errors.ts';
import { interactionGraph } from '../graphs/interactionGraph.ts';
import { randomGenerator } from '../math/random/randomGenerator.ts';
import type { SparseMatrix } from '../math/sparse/sparseMatrix.ts';
import { symmetricNormalisation } from '../math/sparse/symmetricNormalisation.ts';
import { type FactorNetwork, initFactors } from '../models/factorNetwork.ts';
import type { GeneratorOf } from '../models/initialValues.ts';
import { wasmBackendInUse } from '../tensor/operations/wasmBackendInUse.ts';
import { type SparseTensor, sparseTensor } from '../tensor/sparseTensor.ts';
import { factorRecommender, type FactorTraining } from './factorRecommender.ts';
import { type NetworkContext, type NetworkParameters, trainNetworkRecommender } from './networkRecommender.ts';

/** Parameters of networks over the graph of users and items. */
export type GraphParameters = NetworkParameters & { batchSize: number };

/** Of what a network over the graph of training interactions is made. */
export interface GraphStart {
  /** The embeddings of all nodes, `nodes`, users first, as the run's `init` wants them. */
  factors: FactorNetwork;
  /** (users + items)², D^-1/2 A D^-1/2; nodes without an interaction have empty rows. */
  graph: SparseTensor;
  /** The same as compressed rows; its values are not normalised. */
  pattern: SparseMatrix;
  /** Random numbers for each parameter of the network, by its name. */
  generatorOf: GeneratorOf;
}

export interface GraphRecipe {
  /** Sets the random numbers of this network apart from those of others. */
  name: string;
  /** About how many numbers a step of training keeps for each node. */
  numbersPerNode: number;
  /** The same for each direction of an edge, beside the graph itself; 0 where nothing is said. */
  numbersPerEntry?: number;
  /** Makes the network, once its backend is open. */
  network(start: GraphStart): Pick<FactorTraining, 'parameters' | 'loss' | 'model'>;
}

/**
 * `trainNetworkRecommender` for a network over the graph of the training interactions. A user is a node, so what validates is no
 * part of the test input, as with mf-bpr. Leaves the rows that score. Throws OUT_OF_MEMORY for a graph that is too large.
 */
export async function trainGraphRecommender(
  context: NetworkContext<GraphParameters>,
  { name, numbersPerNode, numbersPerEntry = 0, network }: GraphRecipe,
): Promise<void> {
  const { parameters, seed } = context;
  const { userCount, itemCount } = await context.data.sequences();
  const shape = { userCount, itemCount, dimension: parameters.dimension };
  await trainNetworkRecommender(context, {
    sides: ['users', 'items'],
    open: (start, training) => {
      const generatorOf: GeneratorOf = (parameter) => randomGenerator(seed, `${name} ${parameter}`);
      const edges = interactionGraph({ dataset: training.dataset, ends: training.trainEnd });
      const nodes = userCount + itemCount;
      if (wasmBackendInUse())
        checkGraphMemory({ nodes, entries: edges.columns.length, numbersPerNode, numbersPerEntry });
      const factors = initFactors(shape, { ...start, isJoint: true }, generatorOf);
      const graph = sparseTensor(symmetricNormalisation(edges), { isSymmetric: true });
      const recommender = factorRecommender(context, {
        ...network({ factors, graph, pattern: edges, generatorOf }),
        batches: { batchSize: parameters.batchSize, triples: 'users' },
      });
      return { ...recommender, dispose: () => graph.dispose() };
    },
  });
}

interface GraphSize {
  nodes: number;
  entries: number;
  numbersPerNode: number;
  numbersPerEntry?: number;
}

/** Throws OUT_OF_MEMORY, saying what is needed and what would help, for a graph that takes more than `limitBytes`. */
export function checkGraphMemory(
  { nodes, entries, numbersPerNode, numbersPerEntry = 0 }: GraphSize,
  limitBytes = 2 ** 32,
): void {
  const bytes = 4 * (3 + numbersPerEntry) * entries + 4 * nodes * numbersPerNode;
  if (bytes <= limitBytes) return;
  const words = (count: number): string => `${(count / 2 ** 30).toPrecision(3)} GiB`;
  throw new WarrenError(
    'OUT_OF_MEMORY',
    `a graph of ${nodes} users and items with ${entries / 2} edges needs about ${words(bytes)} to train, the limit is ${words(limitBytes)}: ` +
      'take a smaller dimension, fewer layers, or a dataset with a larger core',
    { path: 'parameters.dimension' },
  );
}
