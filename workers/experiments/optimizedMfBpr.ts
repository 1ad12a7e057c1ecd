import type { MfBprParameters } from '#src/catalog/kinds/mfBpr.ts';
import { randomGenerator } from '../math/random/randomGenerator.ts';
import { factorLoss, factorModel, initFactors } from '../models/factorNetwork.ts';
import { factorRecommender } from '../training/factorRecommender.ts';
import { trainNetworkRecommender } from '../training/networkRecommender.ts';
import type { ExperimentContext } from './experiment.ts';

const DEFAULT_BATCH = 2048;

/**
 * Matrix factorization trained in batches of triples by an optimizer, with smoothing over items (SEvo's I-I), or over users
 * and items in one table where interactions have a weight in the graph (U-I).
 */
export async function optimizedMfBpr(
  context: ExperimentContext<MfBprParameters>,
  optimizer: NonNullable<MfBprParameters['optimizer']>,
): Promise<void> {
  const { parameters, seed } = context;
  const dataset = await context.data.sequences();
  const { dimension, batchSize = DEFAULT_BATCH, triples = 'users', patience, initialDeviation } = parameters;
  const { init = { method: 'normal', deviation: initialDeviation } } = parameters;
  const isJoint = (optimizer.smoothing?.graph.weights.interactions ?? 0) > 0;
  const shape = { userCount: dataset.userCount, itemCount: dataset.itemCount, dimension };
  const select = patience > 0 ? 'best' : 'last';
  const trained = { ...context, parameters: { ...parameters, optimizer, init, select } as const };
  await trainNetworkRecommender(trained, {
    sides: ['users', 'items'],
    open: (start) => {
      const network = initFactors(shape, { ...start, isJoint }, (name) => randomGenerator(seed, `mf-bpr ${name}`));
      return factorRecommender(context, {
        parameters: network.parameters,
        loss: (batch) => factorLoss(network, batch),
        model: () => factorModel(network),
        batches: { batchSize, triples },
      });
    },
  });
}
