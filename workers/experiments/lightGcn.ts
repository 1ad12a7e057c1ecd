import type { LightGcnParameters } from '#src/catalog/kinds/lightGcn.ts';
import { lightGcnLoss, lightGcnModel } from '../models/lightGcn.ts';
import { trainGraphRecommender } from '../training/graphRecommender.ts';
import type { Experiment } from './experiment.ts';

/** LightGCN over the graph of the training interactions; `trainRecommender` says what is reported where. */
export const lightGcn: Experiment<LightGcnParameters> = async (context) => {
  const { dimension, layers, regularization } = context.parameters;
  await trainGraphRecommender(context, {
    name: 'lightgcn',
    numbersPerNode: 6 * dimension,
    network: ({ factors, graph }) => {
      const network = { factors, graph, layers };
      return {
        parameters: factors.parameters,
        loss: (batch) => lightGcnLoss(network, batch, regularization),
        model: () => lightGcnModel(network),
      };
    },
  });
};
