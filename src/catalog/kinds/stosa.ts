import { z } from 'zod';
import { RECOMMENDER_SPLITS } from '../datasetSelection.ts';
import type { BuiltInKind } from '../kind.ts';
import { initParametersFrom } from '../parameters/initParameters.ts';
import { type Backbone, SEVO_PROTOCOL, sevoTablePresets } from '../presets/sevoPresets.ts';
import {
  checkHeads,
  checkTrained,
  dropoutParameter,
  sequenceParameters,
  trainedParameters,
} from '../parameters/trainedParameters.ts';
import { cited } from '../published/papers.ts';

export const stosaParameters = z
  .strictObject({
    ...sequenceParameters,
    maximumLength: z
      .int()
      .min(1)
      .max(2000)
      .default(100)
      .describe(
        'Sequences are cut to their last items, this many. Default 100. More remembers longer, in more time and memory.',
      ),
    blocks: z
      .int()
      .min(1)
      .max(32)
      .default(1)
      .describe('Attention blocks. Default 1. More can see more and take proportionally longer.'),
    heads: z
      .int()
      .min(1)
      .max(64)
      .default(4)
      .describe('Attention heads, a divisor of dimension. Default 4. More attend to several things at once.'),
    means: z
      .enum(['encoded', 'embedded'])
      .default('encoded')
      .describe(
        'encoded: means pass the attention blocks as covariances do, as in the paper; embedded: the mean of a state is that of its last item’s embedding, as in STOSA’s published code, which drops the means that its blocks make. Default encoded.',
      ),
    dropout: dropoutParameter(0.2, 'embeddings and of what a block adds'),
    attentionDropout: dropoutParameter(0.5, 'attention weights'),
    hingeWeight: z
      .number()
      .min(0)
      .max(100)
      .default(0.005)
      .describe(
        'Weight of the hinge that keeps the next item nearer to the state than to the sampled one. Default 0.005. More presses items apart.',
      ),
    initialMean: z
      .number()
      .min(-100)
      .max(100)
      .default(0.01)
      .describe(
        'Mean of all matrices that are drawn before training; init.deviation is their standard deviation. Default 0.01. More starts covariances larger.',
      ),
    ...trainedParameters({ epochs: 500, batchSize: 256, weightDecay: 0.1, beta2: 0.999 }),
    init: initParametersFrom('normal'),
  })
  .superRefine((parameters, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    checkHeads(parameters, refuse);
    checkTrained(parameters, refuse);
  });

export type StosaParameters = z.output<typeof stosaParameters>;

/** The authors' logged losses are those of embedded means: 0.845 after an epoch on Beauty, where encoded ones have 0.93. */
const SEVO: Backbone = {
  kind: 'stosa',
  protocol: '500 epochs',
  parameters: {
    beauty: { means: 'embedded', dropout: 0.2, attentionDropout: 0.5 },
    toys: { means: 'embedded', dropout: 0.2, attentionDropout: 0.6 },
    tools: { means: 'embedded', dropout: 0.3, attentionDropout: 0.1 },
    'ml-1m': {
      means: 'embedded',
      dropout: 0.1,
      attentionDropout: 0.2,
      hingeWeight: 0.001,
      maximumLength: 200,
      optimizer: { learningRate: 0.005 },
    },
  },
  graphItems: { beauty: 100, toys: 100, tools: 100 },
};

export const stosaKind: BuiltInKind<'stosa', typeof stosaParameters> = {
  kind: 'stosa',
  version: 1,
  title: 'STOSA',
  description:
    'Stochastic self-attention: items are Gaussians, a mean and a covariance each; a token attends to those before it by their Wasserstein distances, and items are ranked by their distance to the state. Trained by BPR on distances, with a hinge. In the form of SEvo’s authors; sequences are packed, so short ones cost little.',
  source: `Z. Fan et al. Sequential recommendation via stochastic self-attention. WWW 2022. ${cited('sevo', 'Section 5, and its code')}`,
  parameters: stosaParameters,
  data: 'sequences',
  splits: RECOMMENDER_SPLITS,
  presets: [
    ...sevoTablePresets(SEVO),
    {
      name: 'sevo/stosa-beauty-encoded',
      description:
        'Amazon Beauty as in Table 3 without SEvo, but with means that pass the blocks, as in STOSA’s paper.',
      dataset: 'amazon-beauty',
      parameters: { ...SEVO_PROTOCOL, dropout: 0.2, attentionDropout: 0.5 },
    },
    {
      name: 'demo/stosa-generated',
      description: 'Generated Markov sequences: needs no download, and ends within a minute.',
      dataset: 'generated/markov-medium',
      parameters: { dimension: 32, epochs: 20, batchSize: 128, attentionDropout: 0.2, checkpointEvery: 5 },
    },
  ],
  primaryMetric: 'test/ndcg@10',
};
