import type { Cl4SRecParameters } from '#src/catalog/kinds/cl4SRec.ts';
import { randomGenerator } from '../math/random/randomGenerator.ts';
import { cl4SRecLoss, initCl4SRec } from '../models/cl4SRec.ts';
import { sasRec } from '../models/sasRec.ts';
import { viewedBatches } from '../training/batches/viewedBatches.ts';
import { trainNetworkRecommender } from '../training/networkRecommender.ts';
import { sequenceRecommender } from '../training/sequenceRecommender.ts';
import type { Experiment } from './experiment.ts';

/** CL4SRec; `trainRecommender` says what is reported where. */
export const cl4SRec: Experiment<Cl4SRecParameters> = async (context) => {
  const { parameters, seed } = context;
  const { itemCount } = await context.data.sequences();
  const { dimension, maximumLength, blocks, heads, dropout, pads, residual, batchSize } = parameters;
  const { loss, contrast, temperature, cropShare, maskShare, reorderShare } = parameters;
  const shape = { itemCount, dimension, maximumLength, blocks, heads };
  const negatives = loss === 'softmax' ? 0 : parameters.negatives;
  await trainNetworkRecommender(context, {
    sides: ['items'],
    open: ({ items }) => {
      const variables = initCl4SRec(shape, items, (name) => randomGenerator(seed, `cl4srec ${name}`));
      const network = sasRec(variables, shape, { dropout, pads, residual });
      const shares = { crop: cropShare, mask: maskShare, reorder: reorderShare };
      return sequenceRecommender(context, network, {
        batches: (training) => viewedBatches(training, { batchSize, maximumLength, negatives, shares }),
        loss: (batch, draw) => cl4SRecLoss(network, batch, { options: { loss, contrast, temperature }, draw }),
      });
    },
  });
};
