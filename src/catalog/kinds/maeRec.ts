import { z } from 'zod';
import { RECOMMENDER_SPLITS } from '../datasetSelection.ts';
import type { BuiltInKind } from '../kind.ts';
import { SEVO_DATASETS, SEVO_PROTOCOL } from '../presets/sevoPresets.ts';
import {
  checkHeads,
  checkTrained,
  dropoutParameter,
  lossParameter,
  sequenceParameters,
  trainedParameters,
} from '../parameters/trainedParameters.ts';

const count = (initial: number, most: number) => z.int().min(1).max(most).default(initial);

export const maeRecParameters = z
  .strictObject({
    ...sequenceParameters,
    blocks: count(2, 32).describe('Blocks of the transformer. Default 2. More take proportionally longer.'),
    heads: count(4, 64).describe(
      'Attention heads, a divisor of dimension. Default 4. More attend to several things at once.',
    ),
    graphLayers: count(2, 8).describe(
      'Products with the graph of items. Default 2. More reach further and make neighbours more alike; the decoder grows with the square.',
    ),
    distance: count(3, 100).describe(
      'Items at most this far apart in a sequence are neighbours. Default 3. More makes the graph denser and slower.',
    ),
    dropout: dropoutParameter(0.3, 'embeddings, attention weights and what both halves of a block give'),
    anchors: count(50, 100_000).describe(
      'Items around which paths are masked, those most related to what is near, with noise. Default 50. More masks more of the graph.',
    ),
    maskDepth: count(3, 10).describe(
      'Steps of the masked paths, and of the walks that relatedness looks at. Default 3. More masks more of the graph.',
    ),
    pathShare: z
      .number()
      .min(0)
      .max(1)
      .default(0.5)
      .describe('Probability that a masked path goes on, to the power of the step. Default 0.5. More masks more.'),
    maskSteps: count(10, 10_000).describe(
      'Steps of training with one mask. Default 10. More saves time and varies less. Each epoch begins with a new one.',
    ),
    slowReward: z
      .number()
      .min(0)
      .max(1)
      .default(0.2)
      .describe(
        'ε, what learning to mask counts after a mask under which the loss fell more slowly; 1 otherwise. Default 0.2. More learns from such masks, too.',
      ),
    reconstruction: z
      .number()
      .min(0)
      .max(100)
      .default(0.1)
      .describe(
        'What telling masked edges from others counts beside the next item. Default 0.1; SEvo’s authors searched 0 to 1. More keeps closer to the graph.',
      ),
    reconstructionEdges: count(2048, 1_000_000).describe(
      'Masked edges that the decoder is asked for in a step. Default 2048. More is steadier and slower.',
    ),
    reconstructionNegatives: count(40, 10_000).describe(
      'Pairs that are no edges beside each masked one, half by either end. Default 40. More is harder and slower.',
    ),
    loss: lossParameter('bce'),
    ...trainedParameters({ epochs: 100, batchSize: 256, weightDecay: 0.000001, beta2: 0.999 }),
  })
  .superRefine((parameters, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    checkHeads(parameters, refuse);
    checkTrained(parameters, refuse);
  });

export type MaeRecParameters = z.output<typeof maeRecParameters>;

/** Adam with the gradient of 10⁻⁶ times the squared norms, and their start. */
const AUTHORS = { optimizer: { method: 'adam', weightDecay: 0.000002 }, init: { method: 'xavier-uniform' } };

export const maeRecKind: BuiltInKind<'maerec', typeof maeRecParameters> = {
  kind: 'maerec',
  version: 1,
  title: 'MAERec',
  description:
    'Item embeddings pass through a graph of items that came near each other, and a transformer over a user’s items predicts the next one. Meanwhile paths of the graph are masked, around items that learn to be chosen, and a decoder tells masked edges from others. Ranking sees the whole graph. Relatedness is the mean cosine with what short walks reach, and the decoder’s loss a mean with a weight, where the authors’ code sums it.',
  source:
    'Y. Ye, L. Xia, C. Huang. Graph masked autoencoder for sequential recommendation. SIGIR 2023; compared in SEvo, Table 3.',
  parameters: maeRecParameters,
  data: 'sequences',
  splits: RECOMMENDER_SPLITS,
  presets: [
    ...SEVO_DATASETS.map(({ name, title, dataset, selection }) => ({
      name: `sevo/maerec-${name}`,
      description: `${title}, Table 3: MAERec’s own hyper-parameters, but 64 dimensions as the other columns, with reconstruction counting 0.1; seen items left out, best validation tested. The authors of SEvo print none.`,
      dataset,
      ...(selection === undefined ? {} : { selection }),
      parameters: {
        ...SEVO_PROTOCOL,
        ...AUTHORS,
        epochs: 200,
        patience: 6,
        maximumLength: name === 'ml-1m' ? 200 : 50,
      },
    })),
    {
      name: 'baselines/maerec-ml-100k',
      description:
        'MovieLens 100K, whose dense graph is masked less and reconstructed from fewer edges; seen items left out, best validation tested.',
      dataset: 'ml-100k',
      parameters: {
        ...AUTHORS,
        excludeSeen: true,
        dropout: 0.2,
        patience: 5,
        epochs: 200,
        maskDepth: 2,
        anchors: 20,
        reconstructionEdges: 256,
        batchSize: 128,
      },
    },
    {
      name: 'demo/maerec-generated',
      description: 'Generated Markov sequences: needs no download, and ends within a minute.',
      dataset: 'generated/markov-medium',
      parameters: {
        dimension: 32,
        epochs: 20,
        batchSize: 128,
        anchors: 10,
        maskDepth: 2,
        reconstructionEdges: 128,
        optimizer: { learningRate: 0.005 },
      },
    },
  ],
  primaryMetric: 'test/ndcg@10',
};
