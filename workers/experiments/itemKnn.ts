import type { z } from 'zod';
import type { itemKnnParameters } from '../../src/catalog/kinds/itemKnn.ts';
import { fitItemKnn, itemKnnScores } from '../models/itemKnn.ts';
import type { Experiment } from './experiment.ts';
import { rankByScores, splitForRanking, timed } from './leaveOneOutRanking.ts';
import { reportRanking } from './reportRanking.ts';

/**
 * Item nearest neighbours, leave-one-out: similarities from the training interactions (x_1 … x_{n-2}); the test input is
 * x_1 … x_{n-1}, as in OverRec's protocol, the target x_n, and all items are ranked. Metrics stand at step 0.
 */
export const itemKnn: Experiment<z.output<typeof itemKnnParameters>> = async (context) => {
  const { parameters, reporter, cancellation } = context;
  const { neighbours, shrinkage } = parameters;
  const split = splitForRanking(context.dataset, reporter);
  const model = timed(reporter, 'compute', () =>
    fitItemKnn(split, { neighbours, shrinkage, pulse: () => cancellation.throwIfCancelled() }),
  );
  reporter.note('similarities', model.neighbours.length);
  const ranked = timed(reporter, 'evaluate', () =>
    rankByScores(split, {
      score: (history, scores) => itemKnnScores(model, history, scores),
      parameters,
      reporter,
      cancellation,
    }),
  );
  const rankings = parameters.cutoffs.map((cutoff) => ({ cutoff, ranked }));
  reportRanking(split, reporter, { rankings, part: 'test', step: 0 });
};
