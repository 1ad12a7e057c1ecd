import type { z } from 'zod';
import type { popularityParameters } from '../../src/catalog/kinds/popularity.ts';
import { fitPopularity, popularityScores } from '../models/popularity.ts';
import type { Experiment } from './experiment.ts';
import { rankByScores, splitForRanking, timed } from './leaveOneOutRanking.ts';
import { reportRanking } from './reportRanking.ts';

/**
 * Popularity in the training interactions (x_1 … x_{n-2} of every user), leave-one-out: all items are ranked for each user,
 * the target is x_n. Metrics stand at step 0: nothing is trained.
 */
export const popularity: Experiment<z.output<typeof popularityParameters>> = async (context) => {
  const { parameters, reporter, cancellation } = context;
  const split = splitForRanking(context.dataset, reporter);
  const model = timed(reporter, 'compute', () => fitPopularity(split));
  const ranked = timed(reporter, 'evaluate', () =>
    rankByScores(split, {
      score: (_, scores) => popularityScores(model, scores),
      parameters,
      reporter,
      cancellation,
    }),
  );
  const rankings = parameters.cutoffs.map((cutoff) => ({ cutoff, ranked }));
  reportRanking(split, reporter, { rankings, part: 'test', step: 0 });
};
