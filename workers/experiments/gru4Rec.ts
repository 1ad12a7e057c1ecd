import type { Gru4RecParameters } from '../../src/catalog/kinds/gru4Rec.ts';
import { randomGenerator } from '../math/randomGenerator.ts';
import { gru4Rec as gru4RecNetwork, initGru4Rec } from '../models/gru4Rec.ts';
import type { Experiment } from './experiment.ts';
import { initialEmbeddings } from './embeddings/initialEmbeddings.ts';
import { trainAndRank } from './ranking/trainedRanking.ts';

/** GRU4Rec, trained and evaluated leave-one-out; `trainAndRank` says what is reported where. */
export const gru4Rec: Experiment<Gru4RecParameters> = async (context) => {
  const { dataset, parameters, seed } = context;
  const { dimension, hiddenSize, layers, maximumLength, dropout, samples, init } = parameters;
  const shape = { itemCount: dataset.itemCount, dimension, hiddenSize, layers, maximumLength };
  const { items } = await initialEmbeddings(context, init, { dimension, sides: ['items'] });
  await trainAndRank(context, samples, () => {
    const network = initGru4Rec(shape, items, (name) => randomGenerator(seed, `gru4rec ${name}`));
    return gru4RecNetwork(network, shape, { dropout });
  });
};
