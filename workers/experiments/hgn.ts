import type { HgnParameters } from '../../src/catalog/kinds/hgn.ts';
import { randomGenerator } from '../math/randomGenerator.ts';
import { hgn as hgnNetwork, initHgn } from '../models/hgn.ts';
import type { Experiment } from './experiment.ts';
import { initialEmbeddings } from './embeddings/initialEmbeddings.ts';
import { trainOnInteractions } from './ranking/interactionRanking.ts';

/** HGN, trained and evaluated in order of time; `trainOnInteractions` says what is reported where. */
export const hgn: Experiment<HgnParameters> = async (context) => {
  const { dataset, parameters, seed } = context;
  const { dimension, recent, targets, init } = parameters;
  const { userCount, itemCount } = dataset;
  const shape = { userCount, itemCount, dimension, recent, targets };
  const start = await initialEmbeddings(context, init, { dimension, sides: ['users', 'items'] });
  await trainOnInteractions(context, () => {
    const network = initHgn(shape, start, (name) => randomGenerator(seed, `hgn ${name}`));
    return hgnNetwork(network, shape);
  });
};
