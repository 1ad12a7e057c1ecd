import type { DgcfParameters } from '#src/catalog/kinds/dgcf.ts';
import { dgcfLoss, dgcfModel } from '../models/dgcf.ts';
import { twinsOf } from '../tensor/operations/edgeFactors.ts';
import { trainGraphRecommender } from '../training/graphRecommender.ts';
import type { Experiment } from './experiment.ts';

/** DGCF over the graph of the training interactions; `trainRecommender` says what is reported where. */
export const dgcf: Experiment<DgcfParameters> = async (context) => {
  const { dimension, factors: blocks, layers, iterations } = context.parameters;
  const { regularization, independence, independenceNodes } = context.parameters;
  const options = { factors: blocks, layers, iterations, regularization, independence, independenceNodes };
  await trainGraphRecommender(context, {
    name: 'dgcf',
    numbersPerNode: dimension * (6 + 8 * layers * iterations),
    numbersPerEntry: blocks * 8 * layers * iterations,
    network: ({ factors, graph, pattern }) => {
      const network = { factors, edges: { rows: graph.plain, twins: twinsOf(pattern) }, options };
      return {
        parameters: factors.parameters,
        loss: (batch, draw) => dgcfLoss(network, batch, draw),
        model: () => dgcfModel(network),
      };
    },
  });
};
