import type { IalsParameters } from '#src/catalog/kinds/ials.ts';
import { openProtocol } from '../evaluation/protocols/openProtocol.ts';
import { randomGenerator } from '../math/random/randomGenerator.ts';
import { initialTable } from '../models/initialTable.ts';
import { ialsRecommender } from '../training/ialsRecommender.ts';
import { initialEmbeddings } from '../training/start/initialEmbeddings.ts';
import { trainRecommender } from '../training/trainRecommender.ts';
import { NumericThreads } from '../wasm/threads/numericThreads.ts';
import type { Experiment } from './experiment.ts';

/** iALS, its systems on all threads; `trainRecommender` says what is reported where. */
export const ials: Experiment<IalsParameters> = async (context) => {
  const { parameters, seed, cancellation } = context;
  const { dimension, init, patience, unobservedWeight, regularization, frequencyExponent } = parameters;
  const protocol = await openProtocol(context);
  const { userCount, itemCount } = protocol.split.dataset;
  const start = await initialEmbeddings(context, init, {
    training: protocol.split,
    dimension,
    sides: ['users', 'items'],
  });
  const table = (side: 'users' | 'items', rows: number): Float64Array =>
    Float64Array.from(initialTable([rows, dimension], start[side], randomGenerator(seed, `ials ${side}`)));
  const model = { dimension, users: table('users', userCount), items: table('items', itemCount) };
  const threads = await NumericThreads.open(context.compute.threads);
  try {
    const recommender = ialsRecommender(model, protocol.split, {
      threads,
      options: { unobservedWeight, regularization, frequencyExponent },
      patience,
      pulse: () => cancellation.throwIfCancelled(),
    });
    await trainRecommender(context, protocol, { recommender });
  } finally {
    await threads.close();
  }
};
