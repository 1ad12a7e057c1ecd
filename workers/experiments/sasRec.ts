import type { SasRecParameters } from '../../src/catalog/kinds/sasRec.ts';
import { randomGenerator } from '../math/randomGenerator.ts';
import { initSasRec, sasRec as sasRecNetwork } from '../models/sasRec.ts';
import { trainNetworkRecommender } from '../training/networkRecommender.ts';
import { nextItemRecommender } from '../training/sequenceRecommender.ts';
import type { Experiment } from './experiment.ts';

/** SASRec; `trainRecommender` says what is reported where. */
export const sasRec: Experiment<SasRecParameters> = async (context) => {
  const { dataset, parameters, seed } = context;
  const { dimension, maximumLength, blocks, heads, dropout, pads, residual } = parameters;
  const shape = { itemCount: dataset.itemCount, dimension, maximumLength, blocks, heads };
  await trainNetworkRecommender(context, {
    sides: ['items'],
    open: ({ items }) => {
      const network = initSasRec(shape, items, (name) => randomGenerator(seed, `sasrec ${name}`));
      return nextItemRecommender(context, sasRecNetwork(network, shape, { dropout, pads, residual }), 'positions');
    },
  });
};
