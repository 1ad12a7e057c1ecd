import type { TrainingPart } from '../data/trainingPart.ts';
import { HeldOutLists } from '../evaluation/heldOutLists.ts';
import type { ExperimentContext } from './experiment.ts';
import { type Candidates, rankByScores, splitForRanking, timed } from './leaveOneOutRanking.ts';
import { reportHeldOut } from './reportHeldOut.ts';
import { reportRanking } from './reportRanking.ts';
import { splitByTime } from './splitByTime.ts';

/** A recommender that is fitted at once and scores all items for one user at a time. */
export interface FittedRecommender<Model> {
  /** Learns from the training part alone. */
  fit(training: TrainingPart): Model | Promise<Model>;
  /**
   * Writes the score of every item for a user with this history (validation included) into `scores`: evidence for the item,
   * 0 where there is none. Items with 0 are not recommended.
   */
  score(model: Model, user: { number: number; history: Uint32Array }, scores: Float64Array): void;
}

/**
 * Fits a recommender and reports its rankings by the run's split. Leave-one-out: similarities from x_1 … x_{n-2}, the input
 * x_1 … x_{n-1}, the target x_n (`reportRanking`). Ratio-by-time: learnt from the first part of each user, the input all
 * before the last part, the targets all items there (`reportHeldOut`). Metrics stand at step 0.
 */
export async function fitAndRank<Model>(
  context: ExperimentContext<Candidates>,
  recommender: FittedRecommender<Model>,
): Promise<Model> {
  const { parameters, reporter, cancellation, dataset } = context;
  const { cutoffs } = parameters;
  const learn = async (training: TrainingPart): Promise<Model> => {
    const start = performance.now();
    const model = await recommender.fit(training);
    reporter.timing('compute', (performance.now() - start) / 1000);
    return model;
  };
  if (context.split.name === 'leave-one-out') {
    const split = splitForRanking(dataset, reporter);
    const model = await learn(split);
    const ranked = timed(reporter, 'evaluate', () =>
      rankByScores(split, {
        score: (history, scores, number) => recommender.score(model, { number, history }, scores),
        parameters,
        reporter,
        cancellation,
      }),
    );
    const rankings = cutoffs.map((cutoff) => ({ cutoff, ranked }));
    reportRanking(split, reporter, { rankings, part: 'test', step: 0 });
    return model;
  }
  const { split, test } = splitByTime(context, parameters);
  const model = await learn(split);
  const lists = timed(reporter, 'evaluate', () => {
    const found = new HeldOutLists(test, {
      listLength: Math.max(...cutoffs),
      itemCount: dataset.itemCount,
      floor: 0,
    });
    const scores = new Float64Array(dataset.itemCount);
    for (const [index, number] of test.users.entries()) {
      if (index % 64 === 0) cancellation.throwIfCancelled();
      recommender.score(model, { number, history: test.history(index) }, scores);
      found.take(index, scores);
    }
    return found;
  });
  reportHeldOut(reporter, { split, part: test, lists, cutoffs, step: 0 });
  return model;
}
