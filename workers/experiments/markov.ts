import type { z } from 'zod';
import type { markovParameters } from '#src/catalog/kinds/markov.ts';
import { fitMarkov, markovScores } from '../models/markov.ts';
import type { Experiment } from './experiment.ts';
import { fitAndRank } from './ranking/fitAndRank.ts';

/** First-order Markov chain: followers of the last item known; `fitAndRank` says what is reported where. */
export const markov: Experiment<z.output<typeof markovParameters>> = async (context) => {
  const { parameters, reporter } = context;
  const model = await fitAndRank(context, {
    fit: (training) => fitMarkov(training, parameters.smoothing),
    score: (fitted, { history }, scores) => markovScores(fitted, history.at(-1)!, scores),
  });
  reporter.note('transitions', model.followers.length);
};
