import type { StosaParameters } from '#src/catalog/kinds/stosa.ts';
import { randomGenerator } from '../math/random/randomGenerator.ts';
import { initStosa, stosa as stosaNetwork } from '../models/stosa.ts';
import { trainNetworkRecommender } from '../training/networkRecommender.ts';
import { sequenceBatches } from '../training/batches/sequenceBatches.ts';
import { sequenceRecommender } from '../training/sequenceRecommender.ts';
import type { Experiment } from './experiment.ts';

/** STOSA; `trainRecommender` says what is reported where. */
export const stosa: Experiment<StosaParameters> = async (context) => {
  const { parameters, seed } = context;
  const dataset = await context.data.sequences();
  const { dimension, maximumLength, blocks, heads, batchSize, negatives, init, initialMean } = parameters;
  const { dropout, attentionDropout, hingeWeight, means } = parameters;
  const shape = { itemCount: dataset.itemCount, dimension, maximumLength, blocks, heads, means };
  await trainNetworkRecommender(context, {
    sides: ['items'],
    open: ({ items }) => {
      const start = { items, mean: initialMean, deviation: init.deviation };
      const variables = initStosa(shape, start, (name) => randomGenerator(seed, `stosa ${name}`));
      const network = stosaNetwork(variables, shape, { dropout, attentionDropout, hingeWeight });
      return sequenceRecommender(context, network, {
        batches: (training) => sequenceBatches(training, { batchSize, maximumLength, samples: 'positions', negatives }),
        loss: (batch, draw) => network.loss(batch, draw),
      });
    },
  });
};
