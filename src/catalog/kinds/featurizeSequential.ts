import { z } from 'zod';
import type { BuiltInKind, Preset } from '../kind.ts';
import { defaultContextUpdate } from '../parameters/contextUpdate.ts';
import { doc2VecParameters } from '../parameters/doc2VecParameters.ts';
import { checkFeaturize, featureErrorParameters, featurizeParameters } from '../parameters/featurizeParameters.ts';
import { towerParameters } from '../parameters/towerParameters.ts';
import { cited } from '../published/papers.ts';

export const featurizeSequentialParameters = z
  .strictObject({
    dimension: z
      .int()
      .min(2)
      .max(4096)
      .default(32)
      .describe(
        "Length d of the representation. Default 32, as in the paper's Table 1. More can hold more and takes longer.",
      ),
    doc2vec: doc2VecParameters
      .prefault({})
      .describe('How the titles of the items are turned into representations. Not used where the run has inputs.'),
    ...featurizeParameters,
    ...featureErrorParameters,
    normaliseBaseline: z
      .boolean()
      .default(true)
      .describe(
        'Whether h and avg(h), too, are normalised before the towers. φ always has normalised rows. Default true; false gives the towers the lengths as well.',
      ),
    towers: towerParameters
      .prefault({})
      .describe('The two-tower recommender that takes the representations as they are, how it is trained and tested.'),
  })
  .superRefine((parameters, context) => {
    checkFeaturize(parameters, (path, message) => context.addIssue({ code: 'custom', path: [path], message }));
  });

export type FeaturizeSequentialParameters = z.output<typeof featurizeSequentialParameters>;

const ml1m = (name: string, description: string, parameters: Record<string, unknown>): Preset => ({
  name: `featurizing/task-2${name}`,
  description: `MovieLens 1M, task 2: ${description}`,
  dataset: 'ml-1m',
  parameters,
});

export const featurizeSequentialKind: BuiltInKind<'featurize-sequential', typeof featurizeSequentialParameters> = {
  kind: 'featurize-sequential',
  version: 1,
  title: 'Next items from featurized title embeddings',
  description:
    'Doc2vec of titles and genres, pretrained several times, then the next item by a two-tower recommender with a recurrent layer over the history, which takes the representations frozen: h, the average of h over the pretrainings, φ_d(h) and φ_2d(h), and φ of as many directions as an error ε asks for where featureError is given (phi-epsilon) (Table 1, task 2; Figures A.3 and A.4). The last item of each user is for testing, all before it train; ROW/recall@5 and ROW/ndcg@5 rank all items, ROW/sampled-recall@5 and ROW/sampled-ndcg@5 the test item among some that the user never met. They stand at the number of the pretraining; stability/ROW is the deviation of recall@5 from h over that from ROW, sampled-stability/ROW the same of sampled-recall@5. Embeddings of items given as inputs are used instead of pretraining. The paper also names a bidirectional RNN for the pretraining, where its appendix has Doc2vec; only Doc2vec is here.',
  source: `${cited('featurizing', 'Sections 5 and 6, Table 1, Appendix F, Figure A.2')} Q. Le, T. Mikolov. Distributed representations of sentences and documents. ICML 2014.`,
  parameters: featurizeSequentialParameters,
  laterDefaults: ({ doc2vec }) => ({ doc2vec: defaultContextUpdate(doc2vec) }),
  data: 'sequences',
  presets: [
    ml1m('', 'Table 1, d = 32, ten pretrainings.', {}),
    ml1m('-titles', 'titles alone, without genres.', { doc2vec: { text: 'title' } }),
    ml1m('-dbow', 'PV-DBOW instead of PV-DM.', { doc2vec: { model: 'pv-dbow' } }),
    ...[16, 64].map((d) => ml1m(`-d${d}`, `Figure A.3, d = ${d}.`, { dimension: d })),
    ...[2, 4, 6, 8].map((tenths) =>
      ml1m(`-variance-0${tenths}`, `Figure A.4, σ_Q² = 0.${tenths}.`, { sigmaSquared: tenths / 10 }),
    ),
    {
      name: 'demo/featurize-sequential-generated',
      description: 'Generated clusters with made-up titles: some seconds, and needs no download.',
      dataset: 'generated/clusters-300x300',
      parameters: {
        dimension: 8,
        pretrainings: 3,
        doc2vec: { epochs: 200 },
        towers: { epochs: 30, batchSize: 16, learningRate: 0.02, candidates: 50 },
      },
    },
  ],
  primaryMetric: 'phi-d/mean-recall@5',
};
