import type { z } from 'zod';
import type { userKnnParameters } from '#src/catalog/kinds/userKnn.ts';
import { fitUserKnn, userKnnScores } from '../models/userKnn.ts';
import type { Experiment } from './experiment.ts';
import { fitAndRank } from './ranking/fitAndRank.ts';

/** User nearest neighbours; `fitAndRank` says what is known of whom, and what is reported where. */
export const userKnn: Experiment<z.output<typeof userKnnParameters>> = async (context) => {
  const { neighbours, shrinkage, similarity } = context.parameters;
  await fitAndRank(context, {
    fit: (training) => fitUserKnn(training, { neighbours, shrinkage, similarity }),
    score: userKnnScores,
  });
};
