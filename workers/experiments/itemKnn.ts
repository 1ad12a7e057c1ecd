import type { z } from 'zod';
import type { itemKnnParameters } from '../../src/catalog/kinds/itemKnn.ts';
import { fitItemKnn, itemKnnScores } from '../models/itemKnn.ts';
import type { Experiment } from './experiment.ts';
import { reportTestMetrics, splitForRanking, testRanks, timed } from './leaveOneOutRanking.ts';

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
  const ranks = timed(reporter, 'evaluate', () =>
    testRanks(split, {
      score: (history, scores) => itemKnnScores(model, history, scores),
      excludeSeen: parameters.excludeSeen,
      reporter,
      cancellation,
    }),
  );
  reportTestMetrics(reporter, ranks, { cutoffs: parameters.cutoffs, step: 0 });
};
