import { z } from 'zod';
import { RECOMMENDER_SPLITS } from '../datasetSelection.ts';
import type { BuiltInKind } from '../kind.ts';
import {
  checkHeads,
  checkTrained,
  dropoutParameter,
  lossParameter,
  sequenceParameters,
  trainedParameters,
} from '../parameters/trainedParameters.ts';

export const bsaRecParameters = z
  .strictObject({
    ...sequenceParameters,
    blocks: z.int().min(1).max(32).default(2).describe('Blocks. Default 2. More take proportionally longer.'),
    heads: z
      .int()
      .min(1)
      .max(64)
      .default(1)
      .describe('Attention heads, a divisor of dimension. Default 1. More attend to several things at once.'),
    filterShare: z
      .number()
      .min(0)
      .max(1)
      .default(0.7)
      .describe('α, what the filter counts beside attention. Default 0.7. 0 leaves attention alone, 1 the filter.'),
    cutoff: z
      .int()
      .min(1)
      .max(2001)
      .default(5)
      .describe(
        'c: frequencies up to ⌊c / 2⌋ of the window of maximumLength places are low. Default 5. More leaves more of the sequence as it is.',
      ),
    dropout: dropoutParameter(0.5, 'embeddings, attention weights and what each part of a block adds'),
    loss: lossParameter('softmax'),
    ...trainedParameters({ epochs: 200, batchSize: 256, weightDecay: 0, beta2: 0.999 }),
  })
  .superRefine((parameters, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    checkHeads(parameters, refuse);
    checkTrained(parameters, refuse);
  });

export type BsaRecParameters = z.output<typeof bsaRecParameters>;

/** Their start of the embeddings. */
const START = { init: { method: 'normal', deviation: 0.02 } };

export const bsaRecKind: BuiltInKind<'bsarec', typeof bsaRecParameters> = {
  kind: 'bsarec',
  version: 1,
  title: 'BSARec',
  description:
    'Blocks mix attention with a filter of the sequence’s frequencies: what changes slowly stays, the rest is scaled by what is learnt. Items are ranked by the products of the last state with their embeddings. Each prefix of a user’s items is a sample, since the filter sees later items; empty places count as zeros and are not computed.',
  source:
    'Y. Shin, J. Choi, H. Wi, N. Park. An attentive inductive bias for sequential recommendation beyond the self-attention. AAAI 2024.',
  parameters: bsaRecParameters,
  data: 'sequences',
  splits: RECOMMENDER_SPLITS,
  presets: [
    {
      name: 'baselines/bsarec-beauty',
      description:
        'Amazon Beauty, the authors’ settings for it (learning rate 0.0005, α = 0.7, c = 5, one head), seen items left out, best validation tested.',
      dataset: 'amazon-beauty',
      parameters: { ...START, excludeSeen: true, patience: 10, optimizer: { method: 'adam', learningRate: 0.0005 } },
    },
    {
      name: 'baselines/bsarec-ml-100k',
      description: 'MovieLens 100K, seen items left out of the ranking, best validation tested.',
      dataset: 'ml-100k',
      parameters: {
        ...START,
        excludeSeen: true,
        patience: 4,
        dropout: 0.3,
        filterShare: 0.3,
        cutoff: 9,
        evaluateEvery: 2,
        optimizer: { method: 'adam' },
      },
    },
    {
      name: 'demo/bsarec-generated',
      description: 'Generated Markov sequences: needs no download, and ends within a minute.',
      dataset: 'generated/markov-medium',
      parameters: {
        dimension: 32,
        epochs: 5,
        evaluateEvery: 1,
        dropout: 0.2,
        maximumLength: 20,
        optimizer: { learningRate: 0.003 },
      },
    },
  ],
  primaryMetric: 'test/ndcg@10',
};
