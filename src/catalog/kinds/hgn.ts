import { z } from 'zod';
import { TIME_FIRST_SPLITS } from '../datasetSelection.ts';
import type { BuiltInKind } from '../kind.ts';
import { interactionParameters, recentParameter } from '../parameters/interactionParameters.ts';
import { leporidInitPresets } from '../presets/leporidInits.ts';
import { checkTrained } from '../parameters/trainedParameters.ts';

export const hgnParameters = z
  .strictObject({
    recent: recentParameter,
    targets: z
      .int()
      .min(1)
      .max(100)
      .default(3)
      .describe('Next items that each sample is trained with. Default 3. More looks further ahead.'),
    ...interactionParameters({ epochs: 30, batchSize: 256, weightDecay: 0.001, beta2: 0.999, negatives: 1 }),
  })
  .superRefine((parameters, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    checkTrained(parameters, refuse);
  });

export type HgnParameters = z.output<typeof hgnParameters>;

export const hgnKind: BuiltInKind<'hgn', typeof hgnParameters> = {
  kind: 'hgn',
  version: 1,
  title: 'Hierarchical gating network',
  description:
    'Gates keep what of the last items suits the user; their mean, the items themselves and the user’s embedding are matched with a second embedding of each item. Trained by Bayesian personalised ranking. Both embeddings of items start from the same values.',
  source:
    'C. Ma, P. Kang, X. Liu. Hierarchical gating networks for sequential recommendation. KDD 2019; compared in LEPORID, Table 3.',
  parameters: hgnParameters,
  data: 'sequences',
  splits: TIME_FIRST_SPLITS,
  presets: [
    ...leporidInitPresets('hgn'),
    {
      name: 'demo/hgn-generated',
      description: 'Generated Markov sequences: needs no download, and ends within a minute.',
      dataset: 'generated/markov-300x120',
      parameters: { dimension: 16, epochs: 10, excludeSeen: true },
    },
  ],
  primaryMetric: 'test/ndcg@10',
};
