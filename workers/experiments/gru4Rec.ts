import type { Gru4RecParameters } from '../../src/catalog/kinds/gru4Rec.ts';
import { randomGenerator } from '../math/randomGenerator.ts';
import { gru4Rec as gru4RecNetwork, initGru4Rec } from '../models/gru4Rec.ts';
import { trainNetworkRecommender } from '../training/networkRecommender.ts';
import { nextItemRecommender } from '../training/sequenceRecommender.ts';
import type { Experiment } from './experiment.ts';

/** GRU4Rec; `trainRecommender` says what is reported where. */
export const gru4Rec: Experiment<Gru4RecParameters> = async (context) => {
  const { dataset, parameters, seed } = context;
  const { dimension, hiddenSize, layers, maximumLength, dropout, samples } = parameters;
  const shape = { itemCount: dataset.itemCount, dimension, hiddenSize, layers, maximumLength };
  await trainNetworkRecommender(context, {
    sides: ['items'],
    open: ({ items }) => {
      const network = initGru4Rec(shape, items, (name) => randomGenerator(seed, `gru4rec ${name}`));
      return nextItemRecommender(context, gru4RecNetwork(network, shape, { dropout }), samples);
    },
  });
};
