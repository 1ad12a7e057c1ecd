import { z } from 'zod';
import { TIME_FIRST_SPLITS } from '../datasetSelection.ts';
import type { BuiltInKind } from '../kind.ts';
import { interactionParameters } from '../parameters/interactionParameters.ts';
import { leporidInitPresets } from '../presets/leporidInits.ts';
import { checkTrained } from '../parameters/trainedParameters.ts';

export const ncfParameters = z
  .strictObject({
    layers: z
      .array(z.int().min(1).max(4096))
      .min(1)
      .max(10)
      .default([64, 32, 16])
      .describe(
        'Widths of the dense layers over the two embeddings. Default 64, 32 and 16. More and wider ones can fit more, in more time.',
      ),
    ...interactionParameters({ epochs: 20, batchSize: 256, weightDecay: 0, beta2: 0.999, negatives: 4 }),
  })
  .superRefine((parameters, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    checkTrained(parameters, refuse);
  });

export type NcfParameters = z.output<typeof ncfParameters>;

export const ncfKind: BuiltInKind<'ncf', typeof ncfParameters> = {
  kind: 'ncf',
  version: 1,
  title: 'Neural collaborative filtering',
  description:
    'NeuMF: the product of the embeddings of user and item, and dense layers over another pair of them, meet in one score. Trained to tell interactions from sampled items; it knows nothing of their order. Both pairs of embeddings start from the same values.',
  source:
    'X. He, L. Liao, H. Zhang, L. Nie, X. Hu, T.-S. Chua. Neural collaborative filtering. WWW 2017; compared in LEPORID, Table 3.',
  parameters: ncfParameters,
  data: 'sequences',
  splits: TIME_FIRST_SPLITS,
  presets: [
    ...leporidInitPresets('ncf'),
    {
      name: 'demo/ncf-generated',
      description: 'A generated graph of blocks: needs no download, and ends within a minute.',
      dataset: 'generated/blocks-200x80',
      parameters: { dimension: 16, epochs: 10, excludeSeen: true },
    },
  ],
  primaryMetric: 'test/ndcg@10',
};
