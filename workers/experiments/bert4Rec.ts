import type { Bert4RecParameters } from '#src/catalog/kinds/bert4Rec.ts';
import { randomGenerator } from '../math/random/randomGenerator.ts';
import { bert4Rec as bert4RecNetwork, initBert4Rec } from '../models/bert4Rec.ts';
import { maskedBatches } from '../training/batches/maskedBatches.ts';
import { trainNetworkRecommender } from '../training/networkRecommender.ts';
import { sequenceRecommender } from '../training/sequenceRecommender.ts';
import type { Experiment } from './experiment.ts';

/** BERT4Rec; `trainRecommender` says what is reported where. */
export const bert4Rec: Experiment<Bert4RecParameters> = async (context) => {
  const { parameters, seed } = context;
  const dataset = await context.data.sequences();
  const { dimension, maximumLength, blocks, heads, dropout, maskRate, batchSize, initialBound } = parameters;
  const shape = { itemCount: dataset.itemCount, dimension, maximumLength, blocks, heads };
  await trainNetworkRecommender(context, {
    sides: ['items'],
    open: ({ items }) => {
      const start = { items, bound: initialBound };
      const variables = initBert4Rec(shape, start, (name) => randomGenerator(seed, `bert4rec ${name}`));
      const network = bert4RecNetwork(variables, shape, { dropout });
      return sequenceRecommender(context, network, {
        batches: (training) => maskedBatches(training, { batchSize, maximumLength, maskRate }),
        loss: (batch, draw) => network.loss(batch, draw),
      });
    },
  });
};
