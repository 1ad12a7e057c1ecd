import type { z } from 'zod';
import type { itemKnnParameters } from '#src/catalog/kinds/itemKnn.ts';
import { fitItemKnn, itemKnnScores } from '../models/itemKnn.ts';
import type { Experiment } from './experiment.ts';
import { fitAndRank } from './ranking/fitAndRank.ts';

/** Item nearest neighbours; `fitAndRank` says what is known of whom, and what is reported where. */
export const itemKnn: Experiment<z.output<typeof itemKnnParameters>> = async (context) => {
  const { parameters, reporter, cancellation } = context;
  const { neighbours, shrinkage, similarity } = parameters;
  const pulse = (): void => cancellation.throwIfCancelled();
  const model = await fitAndRank(context, {
    fit: (training) => fitItemKnn(training, { neighbours, shrinkage, similarity, pulse }),
    score: (fitted, { history }, scores) => itemKnnScores(fitted, history, scores),
  });
  reporter.note('similarities', model.neighbours.length);
};
