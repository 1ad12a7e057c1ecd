import { z } from 'zod';
import type { BuiltInKind, Preset } from '../kind.ts';
import { defaultContextUpdate } from '../parameters/contextUpdate.ts';
import { checkFeaturize, featureErrorParameters, featurizeParameters } from '../parameters/featurizeParameters.ts';
import { textClassifierParameters } from '../parameters/textClassifierParameters.ts';
import { wordVectorParameters } from '../parameters/wordVectorParameters.ts';
import { cited } from '../published/papers.ts';

export const featurizeSentimentParameters = z
  .strictObject({
    dimension: z
      .int()
      .min(2)
      .max(4096)
      .default(32)
      .describe('Length d of the word vectors. Default 32, one of the paper’s. More can hold more and takes longer.'),
    vocabulary: z
      .int()
      .min(2)
      .max(1_000_000)
      .default(1000)
      .describe(
        "Words that are known, the most frequent of the training reviews and one that stands for all others. Default 1,000, the tutorial's. More tells more words apart, with less to learn each from.",
      ),
    word2vec: wordVectorParameters
      .prefault({})
      .describe('How the word vectors are pretrained, on the training reviews, without their labels.'),
    ...featurizeParameters,
    ...featureErrorParameters,
    pretrainings: featurizeParameters.pretrainings.describe(
      'Independent pretrainings, that differ in their seed alone, and as many joint trainings. Default 10, as in the paper. More give steadier deviations in proportionally more time.',
    ),
    normaliseBaseline: z
      .boolean()
      .default(true)
      .describe(
        'Whether h and avg(h), too, are normalised before the classifier. φ always has normalised rows. Default true; false gives the classifier the lengths as well.',
      ),
    classifier: textClassifierParameters
      .prefault({})
      .describe('The recurrent classifier that takes the word vectors as they are, how it is trained and tested.'),
    joint: z
      .boolean()
      .default(true)
      .describe(
        'Whether the classifier is also trained jointly with word vectors of its own, from another seed each time: the paper’s reference, and Figure A.1. Default true.',
      ),
    splitSeed: z
      .int()
      .min(0)
      .max(2 ** 32 - 1)
      .default(0)
      .describe(
        'Draws which reviews train (80 %), validate (10 %) and test (10 %), of all that there are. Default 0. The same for every pretraining.',
      ),
  })
  .superRefine((parameters, context) => {
    checkFeaturize(parameters, (path, message) => context.addIssue({ code: 'custom', path: [path], message }));
  });

export type FeaturizeSentimentParameters = z.output<typeof featurizeSentimentParameters>;

/**
 * What some minutes of one processor allow: smaller layers, the first words, one λ, and for an eighth of the paper's reviews a
 * larger rate in smaller batches. A rate of 0.003 is unsteady.
 */
const SMALL_CLASSIFIER = {
  units: 32,
  denseUnits: 32,
  maximumLength: 80,
  batchSize: 32,
  learningRate: 1e-3,
  weightDecays: [1e-5],
  epochs: 10,
} as const;

const imdb = (d: number): Preset => ({
  name: `featurizing/table-a1-d${d}`,
  description: `IMDB, d = ${d}, ten pretrainings: Table A.1 at #ws = #ns = 3, with 32 units, the first 80 words, ten epochs and one λ: about a quarter of an hour.`,
  dataset: 'imdb-reviews-6k',
  parameters: { dimension: d, classifier: SMALL_CLASSIFIER },
});

export const featurizeSentimentKind: BuiltInKind<'featurize-sentiment', typeof featurizeSentimentParameters> = {
  kind: 'featurize-sentiment',
  version: 1,
  title: 'Sentiment of reviews from featurized word vectors',
  description:
    'Word2vec on the words of reviews, pretrained several times, then whether a review is positive by a recurrent classifier that reads it in both directions and takes the word vectors frozen: h, the average of h over the pretrainings, φ_d(h) and φ_2d(h), φ of as many directions as an error ε asks for where featureError is given (phi-epsilon), and word vectors trained with the classifier (Table A.1). 80 % of the reviews train, 10 % validate, 10 % test. ROW/accuracy stands at the number of the pretraining; stability/ROW is the deviation of the accuracy from h over that from ROW. The joint trainings give Figure A.1: how much the last hidden layer differs between trainings that differ in their seed alone.',
  source: `${cited('featurizing', 'Appendices F.1 and G, Table A.1, Figures A.1 and A.6')} TensorFlow, Text classification with an RNN (tutorial).`,
  parameters: featurizeSentimentParameters,
  laterDefaults: ({ word2vec }) => ({ word2vec: defaultContextUpdate(word2vec) }),
  data: 'text',
  presets: [
    ...[16, 32, 64].map(imdb),
    {
      name: 'featurizing/table-a1-d32-whole',
      description: 'IMDB, d = 32, as the paper has it: 64 units, whole reviews, five values of λ. Many hours.',
      dataset: 'imdb-reviews-6k',
      parameters: {},
    },
    {
      name: 'demo/featurize-sentiment-generated',
      description: 'Generated reviews: some seconds, and needs no download.',
      dataset: 'generated/reviews-400x60',
      parameters: {
        dimension: 8,
        vocabulary: 50,
        pretrainings: 3,
        word2vec: { epochs: 60, learningRate: 0.05 },
        classifier: { units: 8, denseUnits: 8, learningRate: 0.01, weightDecays: [1e-5], epochs: 20 },
      },
    },
  ],
  primaryMetric: 'phi-d/mean-accuracy',
};
