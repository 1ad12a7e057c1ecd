import type { SasRecParameters } from '../../src/catalog/kinds/sasRec.ts';
import { randomGenerator } from '../math/randomGenerator.ts';
import { initSasRec, sasRec as sasRecNetwork } from '../models/sasRec.ts';
import type { Experiment } from './experiment.ts';
import { initialEmbeddings } from './embeddings/initialEmbeddings.ts';
import { trainAndRank } from './ranking/trainedRanking.ts';

/** SASRec, trained and evaluated leave-one-out; `trainAndRank` says what is reported where. */
export const sasRec: Experiment<SasRecParameters> = async (context) => {
  const { dataset, parameters, seed } = context;
  const { dimension, maximumLength, blocks, heads, dropout, pads, residual, init } = parameters;
  const shape = { itemCount: dataset.itemCount, dimension, maximumLength, blocks, heads };
  const { items } = await initialEmbeddings(context, init, { dimension, sides: ['items'] });
  await trainAndRank(context, 'positions', () => {
    const network = initSasRec(shape, items, (name) => randomGenerator(seed, `sasrec ${name}`));
    return sasRecNetwork(network, shape, { dropout, pads, residual });
  });
};
