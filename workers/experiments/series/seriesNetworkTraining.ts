import type { RnnClassificationParameters } from '#src/catalog/kinds/rnnClassification.ts';
import { chosenSeries, type NetworkSeries } from '#workers/data/series/networkSeries.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import {
  initSeriesClassifier,
  predictSeries,
  type SeriesClassifierShape,
  seriesLoss,
} from '#workers/models/seriesClassifier.ts';
import type { tf } from '#workers/tensor/tf.ts';
import { packSeries, seriesBatches } from '#workers/training/batches/seriesBatches.ts';
import { networkLearner } from '#workers/training/networkLearner.ts';
import { quietObserver, train as trainToEnd } from '#workers/training/trainLoop.ts';

/** One network of the grid. */
export interface NetworkPoint {
  layers: number;
  width: number;
  learningRate: number;
}

export interface NetworkTraining {
  point: NetworkPoint;
  classes: number;
  train: NetworkSeries;
  /** After each epoch this part is predicted, and training stops where it does so no better; null trains `epochs`. */
  held: NetworkSeries | null;
  /** What is predicted at the end, by the parameters of the best epoch, or without a held part of the last; null for nothing. */
  test: NetworkSeries | null;
  epochs: number;
  seed: number;
  /** Names the random numbers of this network. */
  name: string;
  /** Mean loss after each epoch. */
  onEpoch(epoch: number, loss: number): void;
  throwIfCancelled(): void;
}

export interface TrainedSeriesNetwork {
  /** Epoch of the best prediction of the held part; without one, the last. */
  bestEpoch: number;
  /** Series of the held part predicted right then. */
  heldRight: number;
  /** Series of the test part predicted right. */
  testRight: number;
  epochs: number;
  /** Whether the loss ceased to be finite, which ended training. */
  hasDiverged: boolean;
}

const RMSPROP_EPSILON = 1e-8;
/** Values predicted at once. */
const VALUES_AT_ONCE = 32_768;

/** Trains one network of RNTK, A.1, by RMSProp, and lets go of it. A network whose loss ceases to be finite stops there. */
export async function trainSeriesNetwork(
  { network, batchSize, decay, patience }: RnnClassificationParameters,
  training: NetworkTraining,
): Promise<TrainedSeriesNetwork> {
  const { point, classes, train, held, test, epochs, name, onEpoch, throwIfCancelled } = training;
  const shape: SeriesClassifierShape = { network, layers: point.layers, width: point.width, classes };
  const parameters = initSeriesClassifier(shape, (parameter) => randomGenerator(training.seed, `${name} ${parameter}`));
  const seed = randomGenerator(training.seed, `${name} order`).nextUint32();
  const { learningRate } = point;
  const settings = { name: 'rmsprop', learningRate, weightDecay: 0, decay, epsilon: RMSPROP_EPSILON } as const;
  const rightOf = (part: NetworkSeries) => countRight(parameters, part, { shape, throwIfCancelled });
  const told = { metric: (metric: string, at: number, loss: number) => metric === 'train/loss' && onEpoch(at, loss) };
  const observer = quietObserver(told);
  const learner = networkLearner({
    network: { parameters, loss: (batch) => seriesLoss(parameters, batch, shape) },
    optimizer: settings,
    batches: seriesBatches(train, batchSize),
    seed,
    epochs,
    patience: held === null ? 0 : patience,
    keepsBest: test !== null,
    observer,
    throwIfCancelled,
    dispose: () => {
      for (const parameter of parameters.values()) parameter.dispose();
    },
  });
  return trainToEnd(learner, {
    epochs,
    evaluateEvery: held === null ? 0 : 1,
    validate: async () => ({ metrics: {}, score: held === null ? 0 : await rightOf(held) }),
    observer,
    endsOnDivergence: true,
    test: async ({ hasDiverged }) => ({
      bestEpoch: learner.best?.epoch ?? learner.epoch,
      heldRight: learner.best?.score ?? 0,
      testRight: test === null ? 0 : await rightOf(test),
      epochs: learner.epoch,
      hasDiverged,
    }),
  });
}

/** Series of `part` that are predicted right. */
async function countRight(
  parameters: ReadonlyMap<string, tf.Variable>,
  part: NetworkSeries,
  { shape, throwIfCancelled }: { shape: SeriesClassifierShape; throwIfCancelled(): void },
): Promise<number> {
  const count = part.labels.length;
  let right = 0;
  for (let from = 0; from < count; ) {
    throwIfCancelled();
    let to = from + 1;
    while (to < count && part.offsets[to + 1]! - part.offsets[from]! <= VALUES_AT_ONCE) to++;
    const chosen = chosenSeries(
      part,
      Array.from({ length: to - from }, (_, i) => from + i),
    );
    const predicted = await predictSeries(parameters, packSeries(chosen), shape);
    right += predicted.reduce((sum, label, i) => sum + Number(label === chosen.labels[i]), 0);
    from = to;
  }
  return right;
}
