import type { ComputedSettings } from '#src/catalog/parameters/embeddingParameters.ts';
import { optimizerParameters } from '#src/catalog/parameters/trainedParameters.ts';
import { badInput, WarrenError } from '#src/base/contracts/errors.ts';
import { hopDistances, intimateNodes, nodeRoles } from '#workers/graphs/intimacy.ts';
import { interactionGraph } from '#workers/graphs/interactionGraph.ts';
import { visibleGraph } from '#workers/graphs/maskedPaths.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import type { SparseMatrix } from '#workers/math/sparse/sparseMatrix.ts';
import {
  type GraphBertShape,
  graphBertRows,
  initGraphBert,
  markEmbeddings,
  type NodeSequences,
  nodeSequences,
  recoveryLoss,
  sequenceMeans,
} from '#workers/models/graphBert.ts';
import { sparseTensor } from '#workers/tensor/sparseTensor.ts';
import { tf } from '#workers/tensor/tf.ts';
import { networkLearner } from '../networkLearner.ts';
import { optimizerSettings } from '../optimizers/optimizerState.ts';
import { quietObserver, train } from '../trainLoop.ts';
import { bothSides, type StartContext, type StartMethod } from './startRequest.ts';

/** Rounds in which roles are refined; the authors' code has as many. */
const ROLE_ROUNDS = 2;
/** Numbers that a step keeps for each entry of a token, in all and for each layer. */
const [NUMBERS, LAYER_NUMBERS] = [10, 16];

/**
 * Graph-Bert on the bipartite graph of users and items with attributes drawn at random, pretrained to
 * recover the graph (LEPORID, Section 5.2 and Appendix F). Opens the run's tensor backend. Throws BAD_INPUT for heads that do not
 * divide the dimension, OUT_OF_MEMORY for a graph that is too large.
 */
export const graphBertEmbeddings: StartMethod = async (context, { part, dimension, settings }) => {
  const { intimates, layers, heads } = settings.graphBert;
  if (dimension % heads !== 0) {
    throw badInput(`graphBert.heads is ${heads}; expected a divisor of dimension, which is ${dimension}`, 'heads');
  }
  const edges = interactionGraph({ dataset: part.dataset, ends: part.trainEnd });
  checkGraphBertMemory({ nodes: edges.rowCount, entries: edges.columns.length, intimates, dimension, layers });
  await context.compute.openTensorBackend();
  const sequences = await intimateSequences(context, edges, intimates);
  const rows = await pretrain(context, { edges, sequences, shape: { dimension, layers, heads }, settings });
  return bothSides(Float64Array.from(rows), { part, dimension });
};

/** Each node with the nodes that it is most intimate with, their roles and their distances. */
async function intimateSequences(
  { reporter, cancellation }: StartContext,
  edges: SparseMatrix,
  intimates: number,
): Promise<NodeSequences> {
  const start = performance.now();
  const listed = await intimateNodes(edges, intimates, (done) => {
    cancellation.throwIfCancelled();
    reporter.progress(done / 2, 'graph-bert intimacy');
  });
  const sequences = nodeSequences(listed, {
    roles: nodeRoles(edges, ROLE_ROUNDS),
    distances: hopDistances(edges, listed),
  });
  reporter.timing('graph', (performance.now() - start) / 1000);
  return sequences;
}

interface Pretraining {
  edges: SparseMatrix;
  sequences: NodeSequences;
  shape: GraphBertShape;
  settings: ComputedSettings;
}

/** (nodes, dimension) The rows of a network that has learned to recover the graph, every node in each step. */
async function pretrain(
  { reporter, cancellation, seed }: StartContext,
  { edges, sequences, shape, settings }: Pretraining,
): Promise<Float32Array> {
  const { epochs, learningRate, weightDecay } = settings.graphBert;
  const { dimension } = shape;
  const nodes = edges.rowCount;
  const learning = performance.now();
  const generatorOf = (name: string) => randomGenerator(seed, `graph-bert ${name}`);
  const drawn = generatorOf('attributes of nodes');
  const attributes = Float32Array.from({ length: nodes * dimension }, () => drawn.normal());
  const input = {
    sequences,
    means: sparseTensor(sequenceMeans(sequences)),
    attributes: tf.tensor2d(attributes, [nodes, dimension]),
    marks: tf.tensor2d(markEmbeddings(sequences, dimension), [sequences.layout.tokens, dimension]),
  };
  const graph = sparseTensor(visibleGraph(edges, null), { isSymmetric: true });
  const parameters = initGraphBert(shape, generatorOf);
  const { smoothing: _, ...optimizer } = optimizerParameters({ weightDecay, beta2: 0.999 }).parse({
    method: 'adam',
    learningRate,
  });
  const learner = networkLearner<null>({
    network: { parameters, loss: (__, draw) => recoveryLoss(graphBertRows(parameters, input, { shape, draw }), graph) },
    optimizer: optimizerSettings(optimizer),
    batches: {
      batchesPerEpoch: 1,
      sizeOf: () => ({ positions: nodes, tokens: sequences.layout.tokens }),
      *epoch() {
        yield null;
      },
    },
    seed,
    epochs,
    patience: 0,
    keepsBest: false,
    throwIfCancelled: () => cancellation.throwIfCancelled(),
    observer: quietObserver(),
    dispose: () => {
      for (const tensors of [input.means, graph]) tensors.dispose();
      tf.dispose([input.attributes, input.marks, ...parameters.values()]);
    },
  });
  const progress = (fraction: number, message: string): void =>
    reporter.progress((1 + fraction) / 2, `graph-bert ${message}`);
  return train(learner, {
    epochs,
    observer: quietObserver({ progress }),
    test: async () => {
      const rows = tf.tidy(() => graphBertRows(parameters, input, { shape, draw: null }));
      const values = Float32Array.from(await rows.data<'float32'>());
      rows.dispose();
      reporter.timing('embed', (performance.now() - learning) / 1000);
      return values;
    },
  });
}

/** Throws OUT_OF_MEMORY, saying what is needed and what would help, for a graph that takes more than `limitBytes`. */
export function checkGraphBertMemory(
  given: { nodes: number; entries: number; intimates: number; dimension: number; layers: number },
  limitBytes = 2 ** 32,
): void {
  const { nodes, entries, intimates, dimension, layers } = given;
  const bytes = 4 * (nodes * (intimates + 1) * dimension * (NUMBERS + LAYER_NUMBERS * layers) + 6 * entries);
  if (bytes <= limitBytes) return;
  const words = (count: number): string => `${(count / 2 ** 30).toPrecision(3)} GiB`;
  throw new WarrenError(
    'OUT_OF_MEMORY',
    `Graph-Bert of ${nodes} users and items with ${intimates} others each needs about ${words(bytes)}, the limit is ${words(limitBytes)}: ` +
      'take fewer graphBert.intimates or graphBert.layers, a smaller dimension, or a dataset with a larger core',
    { path: 'parameters.dimension' },
  );
}
