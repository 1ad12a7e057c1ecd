import type { SimGclParameters } from '#src/catalog/kinds/simGcl.ts';
import { simGclLoss, simGclModel, type SimGclOptions } from '../models/simGcl.ts';
import { trainGraphRecommender } from '../training/graphRecommender.ts';
import type { Experiment } from './experiment.ts';

/** SimGCL and XSimGCL over the graph of the training interactions; `trainRecommender` says what is reported where. */
export const simGcl: Experiment<SimGclParameters> = async (context) => {
  const { dimension, layers, views, contrastLayer, noise, temperature, contrast, regularization } = context.parameters;
  const options: SimGclOptions = {
    layers,
    noise,
    temperature,
    contrast,
    regularization,
    views: views === 'two-draws' ? views : { layer: contrastLayer },
  };
  await trainGraphRecommender(context, {
    name: 'simgcl',
    numbersPerNode: dimension * (6 + (views === 'two-draws' ? 6 : 2) * layers),
    network: ({ factors, graph }) => {
      const network = { factors, graph, options };
      return {
        parameters: factors.parameters,
        loss: (batch, draw) => simGclLoss(network, batch, draw),
        model: () => simGclModel(network),
      };
    },
  });
};
