import type { HgnParameters } from '#src/catalog/kinds/hgn.ts';
import { randomGenerator } from '../math/random/randomGenerator.ts';
import { hgn as hgnNetwork, initHgn } from '../models/hgn.ts';
import { interactionRecommender } from '../training/interactionRecommender.ts';
import { trainNetworkRecommender } from '../training/networkRecommender.ts';
import type { Experiment } from './experiment.ts';

/** HGN; `trainRecommender` says what is reported where. */
export const hgn: Experiment<HgnParameters> = async (context) => {
  const { parameters, seed } = context;
  const dataset = await context.data.sequences();
  const { dimension, recent, targets } = parameters;
  const { userCount, itemCount } = dataset;
  const shape = { userCount, itemCount, dimension, recent, targets };
  await trainNetworkRecommender(context, {
    sides: ['users', 'items'],
    open: (start) => {
      const network = initHgn(shape, start, (name) => randomGenerator(seed, `hgn ${name}`));
      return interactionRecommender(context, hgnNetwork(network, shape));
    },
  });
};
