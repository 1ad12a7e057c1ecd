import type { StosaParameters } from '../../src/catalog/kinds/stosa.ts';
import { randomGenerator } from '../math/randomGenerator.ts';
import { initStosa, stosa as stosaNetwork } from '../models/stosa.ts';
import { sequenceBatches } from '../training/sequenceBatches.ts';
import type { Experiment } from './experiment.ts';
import { initialEmbeddings } from './embeddings/initialEmbeddings.ts';
import { trainAndRankBy } from './ranking/trainedRanking.ts';

/** STOSA, trained and evaluated leave-one-out; `trainAndRankBy` says what is reported where. */
export const stosa: Experiment<StosaParameters> = async (context) => {
  const { dataset, parameters, seed } = context;
  const { dimension, maximumLength, blocks, heads, batchSize, negatives, init, initialMean } = parameters;
  const { dropout, attentionDropout, hingeWeight, means } = parameters;
  const shape = { itemCount: dataset.itemCount, dimension, maximumLength, blocks, heads, means };
  const { items } = await initialEmbeddings(context, init, { dimension, sides: ['items'] });
  await trainAndRankBy(context, {
    open: () => {
      const start = { items, mean: initialMean, deviation: init.deviation };
      const network = initStosa(shape, start, (name) => randomGenerator(seed, `stosa ${name}`));
      return stosaNetwork(network, shape, { dropout, attentionDropout, hingeWeight });
    },
    batches: (split) => sequenceBatches(split, { batchSize, maximumLength, samples: 'positions', negatives }),
    loss: (network, batch, draw) => network.loss(batch, draw),
  });
};
