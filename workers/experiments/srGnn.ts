import type { SrGnnParameters } from '#src/catalog/kinds/srGnn.ts';
import { initSrGnn, srGnn as srGnnNetwork } from '../models/srGnn.ts';
import { trainNextItem } from '../training/trainNextItem.ts';
import type { Experiment } from './experiment.ts';

/** SR-GNN; `trainRecommender` says what is reported where. */
export const srGnn: Experiment<SrGnnParameters> = async (context) => {
  const { dimension, steps, maximumLength, samples } = context.parameters;
  await trainNextItem(context, {
    name: 'sr-gnn',
    samples,
    network: ({ itemCount, items, generatorOf }) => {
      const shape = { itemCount, dimension, steps, maximumLength };
      return srGnnNetwork(initSrGnn(shape, items, generatorOf), shape);
    },
  });
};
