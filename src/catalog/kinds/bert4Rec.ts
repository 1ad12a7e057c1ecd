import { z } from 'zod';
import { RECOMMENDER_SPLITS } from '../datasetSelection.ts';
import type { BuiltInKind } from '../kind.ts';
import { overrecTablePresets } from '../presets/overrecTablePresets.ts';
import { type Backbone, sevoTablePresets } from '../presets/sevoPresets.ts';
import {
  checkHeads,
  checkTrained,
  dropoutParameter,
  sequenceParameters,
  trainedParameters,
} from '../parameters/trainedParameters.ts';
import { cited } from '../published/papers.ts';

export const bert4RecParameters = z
  .strictObject({
    dimension: sequenceParameters.dimension,
    maximumLength: z
      .int()
      .min(2)
      .max(2000)
      .default(50)
      .describe(
        'Sequences are cut to their last items, this many; to rank, the masked token after the history is one of them. Default 50. More remembers longer, in more time and memory.',
      ),
    blocks: z
      .int()
      .min(1)
      .max(32)
      .default(2)
      .describe('Attention blocks. Default 2. More can see more and take proportionally longer.'),
    heads: z
      .int()
      .min(1)
      .max(64)
      .default(4)
      .describe('Attention heads, a divisor of dimension. Default 4. More attend to several things at once.'),
    dropout: dropoutParameter(0.2, 'embeddings, attention weights, inner activations and what a block adds'),
    maskRate: z
      .number()
      .gt(0)
      .lt(1)
      .default(0.5)
      .describe(
        'Probability that an item is masked while training, to be told from the others. Default 0.5. More gives more to learn from each sequence, and less to learn it by.',
      ),
    initialBound: z
      .number()
      .positive()
      .max(100)
      .default(0.02)
      .describe(
        'Initial weights are cut at ± this, but for the projections of attention, as in the code of SEvo’s authors. Default 0.02. More starts with larger, random scores.',
      ),
    ...trainedParameters({ epochs: 500, batchSize: 256, weightDecay: 0.1, beta2: 0.95 }),
  })
  .superRefine((parameters, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    checkHeads(parameters, refuse);
    checkTrained(parameters, refuse);
  });

export type Bert4RecParameters = z.output<typeof bert4RecParameters>;

const BEAUTY = { maskRate: 0.5, dropout: 0.2, optimizer: { learningRate: 0.0005 } };
const FILMS = { maskRate: 0.2, dropout: 0.1, maximumLength: 200, optimizer: { beta2: 0.999 } };

const SEVO: Backbone = {
  kind: 'bert4rec',
  protocol: '500 epochs',
  parameters: {
    beauty: BEAUTY,
    toys: { maskRate: 0.5, dropout: 0.1 },
    tools: { maskRate: 0.4, dropout: 0.3 },
    'ml-1m': FILMS,
  },
  graphItems: { 'ml-1m': 10 },
};

export const bert4RecKind: BuiltInKind<'bert4rec', typeof bert4RecParameters> = {
  kind: 'bert4rec',
  version: 1,
  title: 'BERT4Rec',
  description:
    'Bidirectional attention over a user’s items, some of them masked and told from all others by a softmax over every item; to rank, a masked item stands after the history. In the form of SEvo’s authors: a scoring matrix of its own with a bias. Sequences are packed, so short ones cost little.',
  source: `F. Sun et al. BERT4Rec: Sequential recommendation with bidirectional encoder representations from Transformer. CIKM 2019. ${cited('sevo', 'Section 5, and its code')}`,
  parameters: bert4RecParameters,
  data: 'sequences',
  splits: RECOMMENDER_SPLITS,
  presets: [
    ...sevoTablePresets(SEVO),
    {
      name: 'overrec/bert4rec-beauty',
      description: 'Amazon Beauty in OverRec’s protocol (Table II): all items ranked, best validation tested.',
      dataset: 'amazon-beauty',
      parameters: BEAUTY,
    },
    ...overrecTablePresets('bert4rec', {
      beauty: { maskRate: 0.5, dropout: 0.2, optimizer: { learningRate: 0.0005 }, patience: 5 },
      'ml-1m': { maskRate: 0.2, dropout: 0.1, optimizer: { beta2: 0.999 }, patience: 5 },
    }),
    {
      name: 'demo/bert4rec-generated',
      description: 'Generated Markov sequences: needs no download, and ends within a minute.',
      dataset: 'generated/markov-medium',
      parameters: { dimension: 32, epochs: 40, batchSize: 64, maskRate: 0.3, checkpointEvery: 5 },
    },
  ],
  primaryMetric: 'test/ndcg@10',
};
