import { z } from 'zod';
import { TIME_FIRST_SPLITS } from '../datasetSelection.ts';
import type { BuiltInKind } from '../kind.ts';
import { interactionParameters, recentParameter } from '../parameters/interactionParameters.ts';
import { leporidInitPresets } from '../presets/leporidInits.ts';
import { checkTrained } from '../parameters/trainedParameters.ts';
import { cited } from '../published/papers.ts';

const margin = (what: string, note: string) =>
  z
    .number()
    .min(0)
    .max(100)
    .default(0.5)
    .describe(`${what} Default 0.5, the authors’ program’s; ${note} More keeps items further apart.`);

export const dlr2Parameters = z
  .strictObject({
    recent: recentParameter,
    layout: z
      .enum(['sequence', 'image'])
      .default('sequence')
      .describe(
        'How the feature network sees the user and its items: sequence, as vectors in a row, whose entries are channels, as the text reads; image, as one of points, which the authors’ program does and which takes 65 times the arithmetic. Default sequence.',
      ),
    architecture: z
      .enum(['resnet', 'only-conv', 'no-conv', 'revnet'])
      .default('resnet')
      .describe(
        'The feature network (Section 5.5.4): resnet, two residual blocks; only-conv, the same without what is added; no-conv, four dense layers; revnet, reversible blocks. Default resnet.',
      ),
    channels: z
      .int()
      .min(2)
      .max(1024)
      .multipleOf(2)
      .default(64)
      .describe(
        'Channels of the first block, an even number; the second has twice as many. Default 64. More can fit more, in more time.',
      ),
    tower: z
      .array(z.int().min(1).max(4096))
      .min(1)
      .max(10)
      .default([256, 256, 128])
      .describe(
        'Widths of the dense layers of the discriminative and of the generative network before their last. Default 256, 256 and 128. More and wider ones can fit more, in more time.',
      ),
    losses: z
      .enum(['both', 'discriminative', 'generative'])
      .default('both')
      .describe('Which losses are summed: Eq. 10 (discriminative), Eq. 11 (generative) or both. Default both.'),
    inference: z
      .enum(['discriminative', 'generative'])
      .default('discriminative')
      .describe('Which network ranks the items; its loss must be among those trained. Default discriminative.'),
    discriminativeMargin: margin(
      'Distance m_S that an item which did not come is kept from the user.',
      'the text’s 0 teaches nothing of such items.',
    ),
    generativeMargin: margin(
      'By how much m_G an item that came must be nearer than one which did not.',
      'the text has 0.',
    ),
    rectified: z
      .boolean()
      .default(false)
      .describe(
        'End the discriminative network in a ReLU, as Appendix G says: where it gives 0 nothing is learnt any more, so that items near the user are hardly told apart. The authors’ program has none. Default false.',
      ),
    distance: z
      .enum(['euclidean', 'mean-square'])
      .default('euclidean')
      .describe(
        'What the generative loss compares: euclidean distances (Eq. 11), or mean-square ones over the dimensions, as the authors’ program does. Default euclidean.',
      ),
    ...interactionParameters({ epochs: 20, batchSize: 256, weightDecay: 0, beta2: 0.999, negatives: 1 }),
  })
  .superRefine((parameters, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    if (parameters.losses !== 'both' && parameters.losses !== parameters.inference) {
      refuse('inference', `only the ${parameters.losses} network is trained: ${parameters.losses} is expected`);
    }
    checkTrained(parameters, refuse);
  });

export type Dlr2Parameters = z.output<typeof dlr2Parameters>;

/**
 * What the authors' program does where it differs from the text; it keeps computed embeddings as they are. Its 5,000 steps with
 * negatives drawn ahead are the epochs, negatives and validations of all models here (docs/errata.md, 17).
 */
const AUTHOR = { layout: 'image', distance: 'mean-square', batchSize: 128 };

/**
 * Columns of mean 0 and deviation 1, as in the embeddings that its authors load. Entries of unit eigenvectors over n users or
 * items are √n times smaller.
 */
const Z_SCORE = { columns: 'z-score' };

export const dlr2Kind: BuiltInKind<'dlr2', typeof dlr2Parameters> = {
  kind: 'dlr2',
  version: 1,
  title: 'DLR²',
  description:
    'Dual-loss residual recommender: a user and its last items go through residual convolutions into a state; a discriminative network tells the distance of an item from it, a generative one the embedding of the next item. Made to show what embeddings are worth that training starts from.',
  source: cited('leporid', 'Section 4, Appendices G and H, and its program'),
  parameters: dlr2Parameters,
  data: 'sequences',
  splits: TIME_FIRST_SPLITS,
  presets: [
    ...leporidInitPresets('dlr2'),
    ...leporidInitPresets('dlr2-z-score', {}, Z_SCORE, { onlyComputed: true }),
    ...leporidInitPresets('dlr2-author', AUTHOR, { ...Z_SCORE, frozen: true }),
    {
      name: 'demo/dlr2-generated',
      description: 'Generated Markov sequences, from LEPORID: needs no download, and ends within a minute.',
      dataset: 'generated/markov-300x120',
      parameters: {
        dimension: 16,
        channels: 16,
        epochs: 5,
        excludeSeen: true,
        init: { method: 'leporid', neighbours: 20 },
      },
    },
  ],
  primaryMetric: 'test/ndcg@10',
};
