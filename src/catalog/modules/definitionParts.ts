/**
 * The half of `warren/kinds` that defines: what a module may use while it loads, in processes without numerics, too.
 * `workers/experiments/parts.ts` has the other half and is what modules see.
 */
export { z } from 'zod';
export { badInput } from '#src/base/contracts/errors.ts';
export { RECOMMENDER_SPLITS, SPLITS, TIME_FIRST_SPLITS } from '../datasetSelection.ts';
export { rankingParameters } from '../parameters/rankingParameters.ts';
export {
  checkTrained,
  dropoutParameter,
  lossParameter,
  refuseContradictions,
  sequenceParameters,
  trainedParameters,
} from '../parameters/trainedParameters.ts';
export { defineDataset, defineKind, definePreset, defineReader } from './addition.ts';
