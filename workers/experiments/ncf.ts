import type { NcfParameters } from '#src/catalog/kinds/ncf.ts';
import { randomGenerator } from '../math/random/randomGenerator.ts';
import { ncf as ncfNetwork, initNcf } from '../models/ncf.ts';
import { interactionRecommender } from '../training/interactionRecommender.ts';
import { trainNetworkRecommender } from '../training/networkRecommender.ts';
import type { Experiment } from './experiment.ts';

/** NCF; `trainRecommender` says what is reported where. */
export const ncf: Experiment<NcfParameters> = async (context) => {
  const { parameters, seed } = context;
  const dataset = await context.data.sequences();
  const { dimension, layers } = parameters;
  const { userCount, itemCount } = dataset;
  const shape = { userCount, itemCount, dimension, layers };
  await trainNetworkRecommender(context, {
    sides: ['users', 'items'],
    open: (start) => {
      const network = initNcf(shape, start, (name) => randomGenerator(seed, `ncf ${name}`));
      return interactionRecommender(context, ncfNetwork(network, shape));
    },
  });
};
