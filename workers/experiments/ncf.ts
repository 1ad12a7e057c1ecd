import type { NcfParameters } from '../../src/catalog/kinds/ncf.ts';
import { randomGenerator } from '../math/randomGenerator.ts';
import { initNcf, ncf as ncfNetwork } from '../models/ncf.ts';
import type { Experiment } from './experiment.ts';
import { initialEmbeddings } from './embeddings/initialEmbeddings.ts';
import { trainOnInteractions } from './ranking/interactionRanking.ts';

/** NCF, trained and evaluated in order of time; `trainOnInteractions` says what is reported where. */
export const ncf: Experiment<NcfParameters> = async (context) => {
  const { dataset, parameters, seed } = context;
  const { dimension, layers, init } = parameters;
  const { userCount, itemCount } = dataset;
  const shape = { userCount, itemCount, dimension, layers };
  const start = await initialEmbeddings(context, init, { dimension, sides: ['users', 'items'] });
  await trainOnInteractions(context, () => {
    const network = initNcf(shape, start, (name) => randomGenerator(seed, `ncf ${name}`));
    return ncfNetwork(network, shape);
  });
};
