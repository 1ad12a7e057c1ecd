import { z } from 'zod';
import type { BuiltInKind, Preset } from '../kind.ts';
import { checkFeaturize, featureErrorParameters, featurizeParameters } from '../parameters/featurizeParameters.ts';
import { genreParameters } from '../parameters/genreParameters.ts';
import { defaultContextUpdate } from '../parameters/contextUpdate.ts';
import { checkItem2Vec, item2VecParameters } from '../parameters/item2VecParameters.ts';
import { cited } from '../published/papers.ts';

export const featurizeGenreParameters = z
  .strictObject({ ...item2VecParameters, ...featurizeParameters, ...featureErrorParameters, ...genreParameters })
  .superRefine((parameters, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    checkItem2Vec(parameters, refuse);
    checkFeaturize(parameters, refuse);
  });

export type FeaturizeGenreParameters = z.output<typeof featurizeGenreParameters>;

const ml1m = (name: string, description: string, parameters: Record<string, unknown>): Preset => ({
  name: `featurizing/task-1${name}`,
  description: `MovieLens 1M, task 1: ${description}`,
  dataset: 'ml-1m',
  parameters,
});

export const featurizeGenreKind: BuiltInKind<'featurize-genre', typeof featurizeGenreParameters> = {
  kind: 'featurize-genre',
  version: 1,
  title: 'Genres from featurized item embeddings',
  description:
    'Item2vec, pretrained several times, then the genre of an item from its embedding by logistic regression at its global optimum, on 80 % of the items and tested on the others: from h, the average of h over the pretrainings, φ_d(h) and φ_2d(h), and φ of as many directions as an error ε asks for where featureError is given (phi-epsilon) (Table 1, task 1; Figures A.3 and A.4). Runs of item2vec given as inputs are used instead of pretraining. ROW/accuracy and ROW/macro-f1 of a pretraining stand at its number; stability/ROW is the deviation of the accuracy from h over that from ROW.',
  source: cited('featurizing', 'Sections 5 and 6, Table 1, Appendix F'),
  parameters: featurizeGenreParameters,
  laterDefaults: defaultContextUpdate,
  data: 'sequences',
  splits: ['random-by-item'],
  presets: [
    ml1m('', 'Table 1, d = 32, ten pretrainings, trained as word2vec is; the paper has Adam.', {}),
    ml1m('-single', 'films with one genre only.', { genres: 'single' }),
    ml1m('-all-genres', 'every genre for itself, one-vs-rest.', { genres: 'all' }),
    ...[16, 64].map((d) => ml1m(`-d${d}`, `Figure A.3, d = ${d}.`, { dimension: d })),
    ...[2, 4, 6, 8].map((tenths) =>
      ml1m(`-variance-0${tenths}`, `Figure A.4, σ_Q² = 0.${tenths}.`, { sigmaSquared: tenths / 10 }),
    ),
    ml1m('-error-05', 'and φ of the 311 directions that ε = 0.5 asks for.', { featureError: 0.5 }),
    {
      name: 'demo/featurize-genre-generated',
      description: 'Generated clusters as genres: a few seconds, and needs no download.',
      dataset: 'generated/clusters-300x300',
      parameters: { dimension: 8, epochs: 20, learningRate: 0.05, pretrainings: 4 },
    },
  ],
  primaryMetric: 'phi-d/mean-accuracy',
};
