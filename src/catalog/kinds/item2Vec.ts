import { z } from 'zod';
import type { BuiltInKind } from '../kind.ts';
import { checkpointEvery } from '../parameters/checkpointEvery.ts';
import { defaultContextUpdate } from '../parameters/contextUpdate.ts';
import { checkItem2Vec, item2VecParameters } from '../parameters/item2VecParameters.ts';
import { cited } from '../published/papers.ts';

export const item2VecKindParameters = z
  .strictObject({ ...item2VecParameters, checkpointEvery })
  .superRefine((parameters, context) => {
    checkItem2Vec(parameters, (path, message) => context.addIssue({ code: 'custom', path: [path], message }));
  });

export type Item2VecKindParameters = z.output<typeof item2VecKindParameters>;

export const item2VecKind: BuiltInKind<'item2vec', typeof item2VecKindParameters> = {
  kind: 'item2vec',
  version: 1,
  title: 'Item2vec',
  description:
    'Pretrains item embeddings: word2vec with negative sampling, items being words and each user’s sequence a sentence. All interactions are used; nothing is evaluated. It leaves item-embeddings.npy, which the featurizing kinds take as input. Trained by stochastic gradient descent with a falling rate, as word2vec is, or with Adam and early stopping, as the paper has it.',
  source: `O. Barkan, N. Koenigstein. Item2vec: neural item embedding for collaborative filtering. MLSP 2016. T. Mikolov et al. Distributed representations of words and phrases and their compositionality. NeurIPS 2013. ${cited('featurizing', 'Appendix F')}`,
  parameters: item2VecKindParameters,
  laterDefaults: defaultContextUpdate,
  data: 'sequences',
  presets: [
    {
      name: 'featurizing/item2vec-ml-1m',
      description: 'MovieLens 1M with the paper’s (#ws, #ns, d, λ) = (3, 3, 32, 1e-4).',
      dataset: 'ml-1m',
      parameters: {},
    },
    {
      name: 'featurizing/item2vec-adam-ml-1m',
      description: 'The same with Adam in batches, the paper’s training; far slower without a graphics processor.',
      dataset: 'ml-1m',
      parameters: { method: 'adam', epochs: 100 },
    },
    {
      name: 'demo/item2vec-generated',
      description: 'Generated clusters of items: seconds, and needs no download.',
      dataset: 'generated/clusters-medium',
      parameters: { dimension: 16, epochs: 10 },
    },
  ],
  primaryMetric: 'train/loss',
};
