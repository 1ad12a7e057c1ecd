import type { NgcfParameters } from '#src/catalog/kinds/ngcf.ts';
import { initNgcfLayers, ngcfLoss, ngcfModel } from '../models/ngcf.ts';
import { trainGraphRecommender } from '../training/graphRecommender.ts';
import type { Experiment } from './experiment.ts';

/** NGCF over the graph of the training interactions; `trainRecommender` says what is reported where. */
export const ngcf: Experiment<NgcfParameters> = async (context) => {
  const { dimension, layers, regularization, dropout, handsOn } = context.parameters;
  await trainGraphRecommender(context, {
    name: 'ngcf',
    // embeddings with their gradient and the optimizer's two; of each layer about ten, of its input and its output
    numbersPerNode: 4 * dimension + 10 * layers.reduce((sum, width) => sum + width, 0),
    network: ({ factors, graph, generatorOf }) => {
      const shape = { ...factors.shape, layers };
      const parameters = new Map([...factors.parameters, ...initNgcfLayers(shape, generatorOf)]);
      const network = { parameters, graph, shape, options: { dropout, handsOn } };
      return {
        parameters,
        loss: (batch, draw) => ngcfLoss(network, batch, { regularization, draw }),
        model: () => ngcfModel(network),
      };
    },
  });
};
