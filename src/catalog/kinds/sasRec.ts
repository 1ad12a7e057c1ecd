import { z } from 'zod';
import { RECOMMENDER_SPLITS } from '../datasetSelection.ts';
import type { BuiltInKind } from '../kind.ts';
import { overrecTablePresets } from '../presets/overrecTablePresets.ts';
import { type Backbone, sevoAblationPresets, sevoTablePresets } from '../presets/sevoPresets.ts';
import {
  checkHeads,
  checkTrained,
  dropoutParameter,
  lossParameter,
  sequenceParameters,
  trainedParameters,
} from '../parameters/trainedParameters.ts';
import { cited } from '../published/papers.ts';

export const sasRecParameters = z
  .strictObject({
    ...sequenceParameters,
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
      .default(1)
      .describe('Attention heads, a divisor of dimension. Default 1. More attend to several things at once.'),
    dropout: dropoutParameter(0.2, 'embeddings, attention weights and inner activations'),
    loss: lossParameter('bce'),
    pads: z
      .enum(['attended', 'masked'])
      .default('attended')
      .describe(
        'attended: a sequence shorter than maximumLength attends to its padding, too, as in the code of SEvo’s authors; masked: it does not, as in the paper. Default attended.',
      ),
    residual: z
      .enum(['input', 'normalised-query'])
      .default('input')
      .describe(
        'What is added to the output of attention: the input of the block, as in the code of SEvo’s authors, or the normalised query, as in the paper’s. Default input.',
      ),
    ...trainedParameters({ epochs: 200, batchSize: 512, weightDecay: 0.1, beta2: 0.98 }),
  })
  .superRefine((parameters, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    checkHeads(parameters, refuse);
    checkTrained(parameters, refuse);
  });

export type SasRecParameters = z.output<typeof sasRecParameters>;

/** The authors' settings of SEvo's default backbone. */
export const SASREC_BACKBONE: Backbone = {
  kind: 'sasrec',
  protocol: '200 epochs',
  parameters: {
    beauty: { dropout: 0.3 },
    toys: { dropout: 0.3 },
    tools: { dropout: 0.7 },
    'ml-1m': { dropout: 0.1, maximumLength: 200, batchSize: 128 },
  },
};

/** The settings file of OverRec's authors names cross-entropy (over all items) and up to 200 epochs for every network. */
const CROSS_ENTROPY = { loss: 'softmax', patience: 5 };

export const sasRecKind: BuiltInKind<'sasrec', typeof sasRecParameters> = {
  kind: 'sasrec',
  version: 1,
  title: 'SASRec',
  description:
    'Self-attentive sequential recommendation: blocks of causal attention turn each prefix of a user’s items into a state, and items are ranked by its products with their embeddings. Trained to tell the next item from sampled ones. In the form of SEvo’s authors unless told otherwise; sequences are packed, so short ones cost little.',
  source: `W.-C. Kang, J. McAuley. Self-attentive sequential recommendation. ICDM 2018. ${cited('sevo', 'Section 5, and its code')}`,
  parameters: sasRecParameters,
  data: 'sequences',
  splits: RECOMMENDER_SPLITS,
  presets: [
    ...sevoTablePresets(SASREC_BACKBONE),
    ...sevoAblationPresets(SASREC_BACKBONE),
    {
      name: 'overrec/sasrec-beauty',
      description:
        'Amazon Beauty in OverRec’s protocol (Table II): all items ranked, best validation tested; trained with SASRec’s own binary cross-entropy, in minutes.',
      dataset: 'amazon-beauty',
      parameters: { dropout: 0.3 },
    },
    ...overrecTablePresets('sasrec', {
      beauty: { ...CROSS_ENTROPY, dropout: 0.3 },
      'ml-1m': { ...CROSS_ENTROPY, dropout: 0.1, batchSize: 128 },
    }),
    {
      name: 'demo/sasrec-generated',
      description: 'Generated Markov sequences: needs no download, and ends within a minute.',
      dataset: 'generated/markov-medium',
      parameters: { dimension: 32, epochs: 20, batchSize: 128, checkpointEvery: 5 },
    },
  ],
  primaryMetric: 'test/ndcg@10',
};
