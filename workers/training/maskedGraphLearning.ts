import { WarrenError } from '#src/base/contracts/errors.ts';
import type { TrainingPart } from '../data/split/trainingPart.ts';
import {
  drawnAnchors,
  drawnPairs,
  type MaskedPaths,
  maskPaths,
  visibleGraph,
  withoutLoops,
} from '../graphs/maskedPaths.ts';
import { transitionGraph } from '../graphs/transitionGraph.ts';
import type { SparseMatrix } from '../math/sparse/sparseMatrix.ts';
import { type MaeRecOptions, type MaeRecShape, maeRecLoss, relatedness } from '../models/maeRec.ts';
import { matrixOf, type Parameters } from '../models/namedParameters.ts';
import type { SequenceBatch, StepDraw } from '../models/sequenceNetwork.ts';
import { twinsOf } from '../tensor/operations/edgeFactors.ts';
import { type SparseTensor, sparseTensor } from '../tensor/sparseTensor.ts';
import { tf } from '../tensor/tf.ts';
import { sequenceBatches } from './batches/sequenceBatches.ts';
import type { SequenceLearning } from './sequenceRecommender.ts';

/** How the graph is masked. */
export interface MaskingOptions {
  /** Items around which paths are masked. */
  anchors: number;
  depth: number;
  /** Probability that a path goes on, to the power of the step. */
  share: number;
  /** Steps of training with one mask. */
  steps: number;
  /** What relatedness counts after a mask under which the loss fell more slowly than before; 1 otherwise. */
  slowReward: number;
  /** Masked edges that the decoder is asked for in a step. */
  edges: number;
  /** Pairs beside each. */
  others: number;
}

/** A batch and its number in the epoch. */
export interface NumberedBatch extends SequenceBatch {
  readonly number: number;
}

/** (items)² 1 where two items came at most `distance` apart in somebody's training items; no loops. Throws DATA_ERROR for none. */
export function nearItems({ dataset, trainEnd }: TrainingPart, distance: number): SparseMatrix {
  const transitions = transitionGraph(
    { dataset, ends: trainEnd },
    { end: 'last', items: 2 ** 30, pathLength: distance, weighting: 'frequency' },
  );
  const edges = withoutLoops(transitions);
  if (edges.columns.length > 0) return edges;
  throw new WarrenError('DATA_ERROR', 'no user has two different training items, so the graph of items has no edge', {
    path: 'dataset',
  });
}

/** Throws OUT_OF_MEMORY, saying what is needed and what would help, where a step takes more than `limitBytes`. */
export function checkMaskedGraphMemory(
  edges: SparseMatrix,
  { dimension, graphLayers }: Pick<MaeRecShape, 'dimension' | 'graphLayers'>,
  { edges: asked, others }: Pick<MaskingOptions, 'edges' | 'others'>,
  limitBytes = 2 ** 32,
): void {
  const { rowCount: items, columns } = edges;
  const pairs = asked * (1 + others);
  const graph = 4 * (12 * columns.length + items * dimension * (8 + 6 * graphLayers));
  const decoder = 4 * pairs * dimension * (2 * graphLayers + 4 * graphLayers ** 2 + 4 * graphLayers);
  if (graph + decoder <= limitBytes) return;
  const words = (count: number): string => `${(count / 2 ** 30).toPrecision(3)} GiB`;
  throw new WarrenError(
    'OUT_OF_MEMORY',
    `a graph of ${items} items with ${columns.length / 2} edges needs about ${words(graph)}, and telling ${pairs} pairs apart ${words(decoder)}; the limit is ${words(limitBytes)}: ` +
      'take a smaller dimension, distance, reconstructionEdges or reconstructionNegatives, or a dataset with a larger core',
    { path: 'parameters.dimension' },
  );
}

interface Setting {
  parameters: Parameters;
  shape: MaeRecShape;
  options: MaeRecOptions;
  masking: MaskingOptions;
  edges: SparseMatrix;
  batchSize: number;
  negatives: number;
}

/**
 * MAERec's way to learn: every so many steps, and at the beginning of an epoch, paths are masked anew, around the items that are most
 * related to what is near, as the embeddings are then. Nothing of it outlives an epoch, so that a run goes on from any to the same bits.
 */
export function maskedGraphLearning({
  parameters,
  shape,
  options,
  masking,
  edges,
  batchSize,
  negatives,
}: Setting): Required<SequenceLearning<NumberedBatch>> {
  const twins = twinsOf(edges);
  const walks = sparseTensor(rowShares(edges));
  let mask: { visible: SparseTensor; paths: MaskedPaths; reward: number } | null = null;
  let losses: tf.Scalar[] = [];
  const forget = (): void => {
    mask?.visible.dispose();
    mask = null;
    tf.dispose(losses);
    losses = [];
  };
  const remask = async (draw: StepDraw, reward: number): Promise<void> => {
    const related = tf.tidy(() => relatedness(matrixOf(parameters, 'items'), walks, options.walkSteps));
    const scores = await related.data<'float32'>();
    related.dispose();
    const anchors = drawnAnchors(scores, masking.anchors, { ...draw, site: ANCHORS });
    const { depth, share } = masking;
    const paths = maskPaths(edges, twins, { anchors, depth, share, draw: { ...draw, site: PATHS } });
    mask?.visible.dispose();
    mask = { visible: sparseTensor(visibleGraph(edges, paths.masked), { isSymmetric: true }), paths, reward };
  };
  const begins = ({ number }: NumberedBatch): boolean => number % masking.steps === 0;
  return {
    batches: (training) => {
      const drawn = options.loss === 'softmax' ? 0 : negatives;
      const plain = { batchSize, maximumLength: shape.maximumLength, samples: 'positions', negatives: drawn } as const;
      const source = sequenceBatches(training, plain);
      return {
        ...source,
        *epoch(streams) {
          let number = 0;
          for (const batch of source.epoch(streams)) yield { ...batch, number: number++ };
        },
      };
    },
    prepare: async (batch, draw) => {
      if (!begins(batch)) return;
      if (batch.number === 0) forget();
      const values = await Promise.all(losses.map(async (loss) => (await loss.data<'float32'>())[0]!));
      tf.dispose(losses.splice(0, losses.length - 1));
      await remask(draw, rewardOf(values, masking.slowReward));
    },
    loss: (batch, draw) => {
      const { visible, paths, reward } = mask!;
      const { edges: count, others } = masking;
      const masked = {
        visible,
        pairs: drawnPairs(edges, paths, { count, others, draw: { ...draw, site: PAIRS } }),
        reward: begins(batch) ? { factor: reward, walks } : null,
      };
      const { total, nextItem } = maeRecLoss(parameters, batch, { shape, options, masked, draw });
      losses.push(tf.keep(tf.clone(nextItem)));
      return total;
    },
    dispose: () => {
      forget();
      walks.dispose();
    },
  };
}

/** Places of draws that dropout does not use. */
const [ANCHORS, PATHS, PAIRS] = [1_000_001, 1_000_002, 1_000_003];

/** 1 where the last step lowered the loss more than the mean of those before, or too few are known; else `slow` (Eq. 5). */
export function rewardOf(losses: readonly number[], slow: number): number {
  if (losses.length < 3) return 1;
  const last = losses.at(-2)! - losses.at(-1)!;
  const before = (losses[0]! - losses.at(-2)!) / (losses.length - 2);
  return last > before ? 1 : slow;
}

/** Each row divided by its sum. */
function rowShares({ offsets, ...matrix }: SparseMatrix): SparseMatrix {
  const values = matrix.values.slice();
  for (let row = 0; row < matrix.rowCount; row++) {
    values.fill(1 / Math.max(1, offsets[row + 1]! - offsets[row]!), offsets[row], offsets[row + 1]);
  }
  return { ...matrix, offsets, values };
}
