import type { SknnParameters } from '../../src/catalog/kinds/sknn.ts';
import type { OverlapMeasure } from '../kernels/overlapSearch.ts';
import type { Experiment } from './experiment.ts';
import { rankByNeighbours } from './sequenceNeighbours.ts';

/** Cosine of the sequences as sets of items. */
const COSINE: OverlapMeasure = { weight: () => 1, norm: 'weights', rowFactor: null };

/** SkNN: nearest sequences by the cosine of their sets of items; what it is compared by is told in `rankByNeighbours`. */
export const sknn: Experiment<SknnParameters> = async ({ parameters, dataset, reporter, cancellation }) =>
  rankByNeighbours({
    parameters,
    itemDecay: parameters.itemDecay,
    measureFor: () => COSINE,
    dataset,
    reporter,
    cancellation,
  });
