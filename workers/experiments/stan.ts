import type { StanParameters } from '#src/catalog/kinds/stan.ts';
import type { Experiment } from './experiment.ts';
import { stanMeasures } from './ranking/sequenceMeasures.ts';
import { rankByNeighbours } from './ranking/sequenceNeighbours.ts';

/**
 * STAN (Garg et al. 2019): the items of the user's history weigh exp(−distance from its end / λ_1), a neighbour
 * exp(−time since its last item / λ_2), and a neighbour's items fall with λ_3 around the last common one.
 */
export const stan: Experiment<StanParameters> = (context) =>
  rankByNeighbours(context, (training) => stanMeasures(training, context.parameters));
