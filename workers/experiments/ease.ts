import type { z } from 'zod';
import type { easeParameters } from '#src/catalog/kinds/ease.ts';
import { easeScores, fitEase } from '../models/ease.ts';
import { NumericThreads } from '../wasm/threads/numericThreads.ts';
import type { Experiment } from './experiment.ts';
import { fitAndRank } from './ranking/fitAndRank.ts';

/** EASE, its one inverse on all threads; `fitAndRank` says what is known of whom, and what is reported where. */
export const ease: Experiment<z.output<typeof easeParameters>> = async (context) => {
  const { parameters, reporter, cancellation } = context;
  const threads = await NumericThreads.open(context.compute.threads);
  try {
    const pulse = (fraction: number): void => {
      cancellation.throwIfCancelled();
      reporter.progress(fraction, `${(100 * fraction).toFixed(0)} % of the inverse`);
    };
    await fitAndRank(context, {
      fit: (training) => fitEase(threads, training, { l2: parameters.l2, pulse }),
      score: (weights, { history }, scores) => easeScores(weights, history, scores),
    });
  } finally {
    await threads.close();
  }
};
