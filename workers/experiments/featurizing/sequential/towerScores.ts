import type { FeaturizeSequentialParameters } from '#src/catalog/kinds/featurizeSequential.ts';
import type { EmbeddingScores } from '#workers/evaluation/embeddings/embeddingQueries.ts';
import { embeddingRanking } from '#workers/evaluation/embeddings/embeddingRanking.ts';
import { rankingMetrics } from '#workers/evaluation/ranking/rankingMetrics.ts';
import { sampledRanks } from '#workers/evaluation/ranking/sampledRanks.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { represent } from '#workers/models/sequenceNetwork.ts';
import { initTwoTowers, type TowerShape, type TwoTowers, twoTowers } from '#workers/models/twoTowers.ts';
import { tf } from '#workers/tensor/tf.ts';
import { LossWatch } from '#workers/training/lossWatch.ts';
import { sequenceBatches } from '#workers/training/batches/sequenceBatches.ts';
import { networkLearner } from '#workers/training/networkLearner.ts';
import { train as trainToEnd } from '#workers/training/trainLoop.ts';
import type { ExperimentContext } from '#workers/experiments/experiment.ts';
import type { ItemRepresentation } from '../featurizedRows.ts';
import type { SequentialTask } from './sequentialTask.ts';

/** K of Recall@K and NDCG@K. */
const CUTOFF = 5;

export interface TowerScores {
  recall: number;
  ndcg: number;
  /** Among the candidates; null where there are none. */
  sampledRecall: number | null;
  sampledNdcg: number | null;
  /** Epochs trained, and the training loss of the last. */
  epochs: number;
  loss: number;
}

type Context = Pick<ExperimentContext<FeaturizeSequentialParameters>, 'parameters' | 'compute' | 'cancellation'>;

export interface TowerRun {
  task: SequentialTask;
  representation: ItemRepresentation;
  seed: number;
  onProgress: (fraction: number, message: string) => void;
}

/**
 * Trains the towers on a frozen representation with Adam until the loss has stopped falling, then ranks the test items. Needs an
 * open tensor backend, on which it leaves nothing. Throws RUN_FAILED where the loss is not finite.
 */
export async function towerScores(context: Context, run: TowerRun): Promise<TowerScores> {
  const { width, layers, loss, maximumLength } = context.parameters.towers;
  const { representation, task, seed } = run;
  const shape: TowerShape = {
    dimension: representation.width,
    width,
    layers,
    maximumLength,
    hasConstant: loss === 'bce',
  };
  const rows = tf.tensor2d(Float32Array.from(representation.values), [
    task.training.dataset.itemCount,
    shape.dimension,
  ]);
  const table = tf.variable(rows, false);
  rows.dispose();
  const parameters = initTwoTowers(shape, (name) => randomGenerator(seed, `two towers ${name}`));
  const network = twoTowers(parameters, table, shape);
  try {
    const trained = await train(context, network, run);
    return { ...trained, ...(await test(context, network, task)) };
  } finally {
    table.dispose();
    for (const parameter of parameters.values()) parameter.dispose();
  }
}

async function train(
  { parameters: { towers }, cancellation }: Context,
  network: TwoTowers,
  { task, seed, onProgress }: TowerRun,
): Promise<{ epochs: number; loss: number }> {
  const { batchSize, maximumLength, negatives, epochs, learningRate, weightDecay, patience, minimumImprovement } =
    towers;
  const watch = new LossWatch(minimumImprovement, onProgress);
  const learner = networkLearner({
    network: { parameters: network.parameters, loss: (batch) => network.loss(batch) },
    optimizer: { name: 'adam', learningRate, weightDecay, beta1: 0.9, beta2: 0.999, epsilon: 1e-7 },
    batches: sequenceBatches(task.training, { batchSize, maximumLength, samples: 'positions', negatives }),
    seed,
    epochs,
    patience,
    keepsBest: false,
    observer: watch,
    throwIfCancelled: () => cancellation.throwIfCancelled(),
  });
  return trainToEnd(learner, {
    epochs,
    evaluateEvery: 1,
    observer: watch,
    validate: async () => ({ metrics: {}, score: watch.improvements }),
    test: async () => ({ epochs: learner.epoch, loss: watch.loss }),
  });
}

async function test(
  { parameters: { towers }, compute: { threads }, cancellation }: Context,
  network: TwoTowers,
  { histories, targets, candidates }: SequentialTask,
): Promise<Omit<TowerScores, 'epochs' | 'loss'>> {
  const betweenQueries = (): void => cancellation.throwIfCancelled();
  const users = await represent(network, histories, betweenQueries); // (queries, D)
  const table = tf.tidy(() => network.itemRows()); // (items, D)
  const model: EmbeddingScores = {
    users,
    items: Float32Array.from(await table.data<'float32'>()),
    dimension: table.shape[1],
  };
  table.dispose();
  const rows = Uint32Array.from(histories.keys());
  const excluded = towers.excludeSeen ? (query: number) => histories[query]! : null;
  const queries = { users: rows, targets, excluded, listLength: 1, betweenQueries };
  const { ranks } = await embeddingRanking(model, queries, threads);
  const all = rankingMetrics(ranks, [CUTOFF]);
  const [recall, ndcg] = [all[`hr@${CUTOFF}`]!, all[`ndcg@${CUTOFF}`]!];
  if (candidates === null) return { recall, ndcg, sampledRecall: null, sampledNdcg: null };
  const sampled = rankingMetrics(sampledRanks(model, { users: rows, targets, candidates }), [CUTOFF]);
  return { recall, ndcg, sampledRecall: sampled[`hr@${CUTOFF}`]!, sampledNdcg: sampled[`ndcg@${CUTOFF}`]! };
}
