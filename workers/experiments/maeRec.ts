import type { MaeRecParameters } from '#src/catalog/kinds/maeRec.ts';
import { visibleGraph } from '../graphs/maskedPaths.ts';
import { randomGenerator } from '../math/random/randomGenerator.ts';
import { initMaeRec, maeRec as maeRecNetwork } from '../models/maeRec.ts';
import { sparseTensor } from '../tensor/sparseTensor.ts';
import { checkMaskedGraphMemory, maskedGraphLearning, nearItems } from '../training/maskedGraphLearning.ts';
import { trainNetworkRecommender } from '../training/networkRecommender.ts';
import { sequenceRecommender } from '../training/sequenceRecommender.ts';
import type { Experiment } from './experiment.ts';

/** MAERec over the graph of items that came near each other; `trainRecommender` says what is reported where. */
export const maeRec: Experiment<MaeRecParameters> = async (context) => {
  const { parameters, seed } = context;
  const { itemCount } = await context.data.sequences();
  const { dimension, maximumLength, blocks, heads, graphLayers, dropout, loss, batchSize, negatives } = parameters;
  const { reconstruction, maskDepth } = parameters;
  const shape = { itemCount, dimension, maximumLength, blocks, heads, graphLayers };
  const options = { dropout, loss, reconstruction, walkSteps: maskDepth };
  const masking = {
    anchors: parameters.anchors,
    depth: maskDepth,
    share: parameters.pathShare,
    steps: parameters.maskSteps,
    slowReward: parameters.slowReward,
    edges: parameters.reconstructionEdges,
    others: parameters.reconstructionNegatives,
  };
  await trainNetworkRecommender(context, {
    sides: ['items'],
    open: ({ items }, training) => {
      const edges = nearItems(training, parameters.distance);
      checkMaskedGraphMemory(edges, shape, masking);
      const variables = initMaeRec(shape, items, (name) => randomGenerator(seed, `maerec ${name}`));
      const graph = sparseTensor(visibleGraph(edges, null), { isSymmetric: true });
      const network = maeRecNetwork(variables, shape, { options, graph });
      const learning = maskedGraphLearning({
        parameters: variables,
        shape,
        options,
        masking,
        edges,
        batchSize,
        negatives,
      });
      const recommender = sequenceRecommender(context, network, learning);
      const dispose = (): void => {
        graph.dispose();
        recommender.dispose?.();
      };
      return { ...recommender, dispose };
    },
  });
};
