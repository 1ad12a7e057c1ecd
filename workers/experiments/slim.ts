import type { z } from 'zod';
import type { slimParameters } from '#src/catalog/kinds/slim.ts';
import { fitSlim, slimScores } from '../models/slim.ts';
import { NumericThreads } from '../wasm/threads/numericThreads.ts';
import type { Experiment } from './experiment.ts';
import { fitAndRank } from './ranking/fitAndRank.ts';

/** SLIM, its elastic nets on all threads; `fitAndRank` says what is known of whom, and what is reported where. */
export const slim: Experiment<z.output<typeof slimParameters>> = async (context) => {
  const { parameters, reporter, cancellation } = context;
  const { l1, l2, tolerance, sweeps } = parameters;
  const threads = await NumericThreads.open(context.compute.threads);
  try {
    const pulse = (fraction: number): void => {
      cancellation.throwIfCancelled();
      reporter.progress(fraction, `weights of ${(100 * fraction).toFixed(0)} % of the items`);
    };
    const weights = await fitAndRank(context, {
      fit: (training) => fitSlim(threads, training, { l1, l2, tolerance, sweeps, pulse }),
      score: (fitted, { history }, scores) => slimScores(fitted, history, scores),
    });
    reporter.note('weights', weights.values.length);
  } finally {
    await threads.close();
  }
};
