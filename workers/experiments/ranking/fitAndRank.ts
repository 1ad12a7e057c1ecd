import type { TrainingPart } from '../../data/trainingPart.ts';
import type { HeldOut } from '../../evaluation/heldOut.ts';
import type { HeldOutLists } from '../../evaluation/heldOutLists.ts';
import { rankHeldOut, validationMetrics } from '../../evaluation/rankHeldOut.ts';
import type { ExperimentContext } from '../experiment.ts';
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
 * before the last part, the targets all items there (`reportHeldOut`); `valid/…` says the same of the part between, for
 * choosing settings. Metrics stand at step 0.
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
  const { split, validation, test } = splitByTime(context, parameters);
  const model = await learn(split);
  const rank = (part: HeldOut): HeldOutLists =>
    rankHeldOut(part, {
      score: (user, scores) => recommender.score(model, user, scores),
      itemCount: dataset.itemCount,
      listLength: Math.max(...cutoffs),
      floor: 0,
      pulse: () => cancellation.throwIfCancelled(),
    });
  const [validated, lists] = timed(reporter, 'evaluate', () => [rank(validation), rank(test)] as const);
  for (const [name, value] of Object.entries(validationMetrics(validated, cutoffs))) {
    if (validation.users.length > 0) reporter.metric(`valid/${name}`, 0, value);
  }
  reportHeldOut(reporter, { split, part: test, lists, cutoffs, step: 0 });
  return model;
}
