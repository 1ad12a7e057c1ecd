import type { z } from 'zod';
import type { popularityParameters } from '#src/catalog/kinds/popularity.ts';
import { fitPopularity, popularityScores } from '../models/popularity.ts';
import type { Experiment } from './experiment.ts';
import { fitAndRank } from './ranking/fitAndRank.ts';

/** Popularity in the training interactions, the same list for everybody; `fitAndRank` says what is reported where. */
export const popularity: Experiment<z.output<typeof popularityParameters>> = async (context) => {
  await fitAndRank(context, {
    fit: fitPopularity,
    score: (model, _, scores) => popularityScores(model, scores),
    isSameForAll: true,
  });
};
