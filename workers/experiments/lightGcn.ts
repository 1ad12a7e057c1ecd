import type { LightGcnParameters } from '#src/catalog/kinds/lightGcn.ts';
import { interactionGraph } from '../graphs/interactionGraph.ts';
import { randomGenerator } from '../math/random/randomGenerator.ts';
import { symmetricNormalisation } from '../math/sparse/symmetricNormalisation.ts';
import { initFactors } from '../models/factorNetwork.ts';
import { lightGcnLoss, lightGcnModel } from '../models/lightGcn.ts';
import { sparseTensor } from '../tensor/sparseTensor.ts';
import { factorRecommender } from '../training/factorRecommender.ts';
import { trainNetworkRecommender } from '../training/networkRecommender.ts';
import type { Experiment } from './experiment.ts';

/**
 * LightGCN over the graph of the training interactions. A user is a node, so what validates is no part of the test input, as
 * with mf-bpr. Leaves the rows that score; `trainRecommender` says what is reported where.
 */
export const lightGcn: Experiment<LightGcnParameters> = async (context) => {
  const { parameters, seed } = context;
  const dataset = await context.data.sequences();
  const { dimension, layers, regularization, batchSize } = parameters;
  const shape = { userCount: dataset.userCount, itemCount: dataset.itemCount, dimension };
  await trainNetworkRecommender(context, {
    sides: ['users', 'items'],
    open: (start, training) => {
      const generatorOf = (name: string) => randomGenerator(seed, `lightgcn ${name}`);
      const factors = initFactors(shape, { ...start, isJoint: true }, generatorOf);
      const edges = interactionGraph({ dataset: training.dataset, ends: training.trainEnd });
      const graph = sparseTensor(symmetricNormalisation(edges), { isSymmetric: true });
      const network = { factors, graph, layers };
      const recommender = factorRecommender(context, {
        parameters: factors.parameters,
        loss: (batch) => lightGcnLoss(network, batch, regularization),
        model: () => lightGcnModel(network),
        batches: { batchSize, triples: 'users' },
      });
      return { ...recommender, dispose: () => graph.dispose() };
    },
  });
};
