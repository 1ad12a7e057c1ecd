import type { z } from 'zod';
import type { markovParameters } from '../../src/catalog/kinds/markov.ts';
import { fitMarkov, markovScores } from '../models/markov.ts';
import type { Experiment } from './experiment.ts';
import { rankByScores, splitForRanking, timed } from './ranking/leaveOneOutRanking.ts';
import { reportRanking } from './ranking/reportRanking.ts';

/**
 * First-order Markov chain, leave-one-out: transitions from the training sequences (x_1 … x_{n-2}); the test input is
 * x_{n-1}, the target x_n, and all items are ranked. Metrics stand at step 0.
 */
export const markov: Experiment<z.output<typeof markovParameters>> = async (context) => {
  const { parameters, reporter, cancellation } = context;
  const split = splitForRanking(context.dataset, reporter);
  const model = timed(reporter, 'compute', () => fitMarkov(split, parameters.smoothing));
  reporter.note('transitions', model.followers.length);
  const ranked = timed(reporter, 'evaluate', () =>
    rankByScores(split, {
      score: (history, scores) => markovScores(model, history.at(-1)!, scores),
      parameters,
      reporter,
      cancellation,
    }),
  );
  const rankings = parameters.cutoffs.map((cutoff) => ({ cutoff, ranked }));
  reportRanking(split, reporter, { rankings, part: 'test', step: 0 });
};
