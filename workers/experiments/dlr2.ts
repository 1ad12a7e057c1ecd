import type { Dlr2Parameters } from '#src/catalog/kinds/dlr2.ts';
import { randomGenerator } from '../math/random/randomGenerator.ts';
import { dlr2 as dlr2Network, initDlr2 } from '../models/dlr2.ts';
import { interactionRecommender } from '../training/interactionRecommender.ts';
import { trainNetworkRecommender } from '../training/networkRecommender.ts';
import type { Experiment } from './experiment.ts';

/** DLR²; `trainRecommender` says what is reported where. */
export const dlr2: Experiment<Dlr2Parameters> = async (context) => {
  const { parameters, seed } = context;
  const dataset = await context.data.sequences();
  const { dimension, recent, layout, architecture, channels, tower } = parameters;
  const { userCount, itemCount } = dataset;
  const shape = { userCount, itemCount, dimension, recent, layout, architecture, channels, tower };
  await trainNetworkRecommender(context, {
    sides: ['users', 'items'],
    open: (start) => {
      const network = initDlr2(shape, start, (name) => randomGenerator(seed, `dlr2 ${name}`));
      return interactionRecommender(context, dlr2Network(network, shape, parameters));
    },
  });
};
