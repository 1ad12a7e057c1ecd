import type { Dlr2Parameters } from '../../src/catalog/kinds/dlr2.ts';
import { randomGenerator } from '../math/randomGenerator.ts';
import { dlr2 as dlr2Network, initDlr2 } from '../models/dlr2.ts';
import type { Experiment } from './experiment.ts';
import { initialEmbeddings } from './embeddings/initialEmbeddings.ts';
import { trainOnInteractions } from './ranking/interactionRanking.ts';

/** DLR², trained and evaluated in order of time; `trainOnInteractions` says what is reported where. */
export const dlr2: Experiment<Dlr2Parameters> = async (context) => {
  const { dataset, parameters, seed } = context;
  const { dimension, recent, layout, architecture, channels, tower, init } = parameters;
  const { userCount, itemCount } = dataset;
  const shape = { userCount, itemCount, dimension, recent, layout, architecture, channels, tower };
  const start = await initialEmbeddings(context, init, { dimension, sides: ['users', 'items'] });
  await trainOnInteractions(context, () => {
    const network = initDlr2(shape, start, (name) => randomGenerator(seed, `dlr2 ${name}`));
    return dlr2Network(network, shape, parameters);
  });
};
