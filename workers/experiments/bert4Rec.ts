import type { Bert4RecParameters } from '../../src/catalog/kinds/bert4Rec.ts';
import { randomGenerator } from '../math/randomGenerator.ts';
import { bert4Rec as bert4RecNetwork, initBert4Rec } from '../models/bert4Rec.ts';
import { maskedBatches } from '../training/maskedBatches.ts';
import type { Experiment } from './experiment.ts';
import { initialEmbeddings } from './embeddings/initialEmbeddings.ts';
import { trainAndRankBy } from './ranking/trainedRanking.ts';

/** BERT4Rec, trained and evaluated leave-one-out; `trainAndRankBy` says what is reported where. */
export const bert4Rec: Experiment<Bert4RecParameters> = async (context) => {
  const { dataset, parameters, seed } = context;
  const { dimension, maximumLength, blocks, heads, dropout, maskRate, batchSize, init, initialBound } = parameters;
  const shape = { itemCount: dataset.itemCount, dimension, maximumLength, blocks, heads };
  const { items } = await initialEmbeddings(context, init, { dimension, sides: ['items'] });
  await trainAndRankBy(context, {
    open: () => {
      const start = { items, bound: initialBound };
      const network = initBert4Rec(shape, start, (name) => randomGenerator(seed, `bert4rec ${name}`));
      return bert4RecNetwork(network, shape, { dropout });
    },
    batches: (split) => maskedBatches(split, { batchSize, maximumLength, maskRate }),
    loss: (network, batch, draw) => network.loss(batch, draw),
  });
};
