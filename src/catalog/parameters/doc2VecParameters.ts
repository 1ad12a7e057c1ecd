import { z } from 'zod';
import { checkContextUpdate, contextUpdate } from './contextUpdate.ts';
import { checkVectorSteps } from './vectorSteps.ts';

/** Parameters of Doc2vec on what is written about the items. */
export const doc2VecParameters = z
  .strictObject({
    model: z
      .enum(['pv-dm', 'pv-dbow'])
      .default('pv-dm')
      .describe(
        'pv-dm predicts a word from the mean of its context’s vectors and the document’s, pv-dbow from the document’s alone. Default pv-dm, Gensim’s; the paper does not say.',
      ),
    contextUpdate,
    text: z
      .enum(['title', 'title-and-genres'])
      .default('title-and-genres')
      .describe(
        'What is read of an item: its title, or its title followed by its genres, in the paper’s words “the title and other descriptions”. Default title-and-genres.',
      ),
    window: z
      .int()
      .min(1)
      .max(1000)
      .default(3)
      .describe(
        "Words to each side that are a word's context (the paper's #ws). Default 3. More relates words further apart; one longer than the titles takes them whole. Not used by pv-dbow.",
      ),
    shrinkWindow: z
      .boolean()
      .default(false)
      .describe(
        'Draw the window of each word uniformly from 1 to window, as word2vec does, so that nearer words count more. Default false: the whole window, as the paper has it.',
      ),
    negatives: z
      .int()
      .min(1)
      .max(1000)
      .default(3)
      .describe("Words drawn against each prediction (the paper's #ns). Default 3. More contrasts more."),
    weightDecay: z
      .number()
      .min(0)
      .max(1)
      .default(1e-4)
      .describe(
        'L2 penalty λ: each step shrinks the vectors that it touches by learning rate × λ. Default 0.0001, the paper’s. More keeps vectors smaller.',
      ),
    epochs: z
      .int()
      .min(1)
      .max(100_000)
      .default(30)
      .describe(
        'Passes over the documents. Default 30, which the paper says of its word vectors of IMDB; of Doc2vec it does not say. More trains vectors that begin near 0 further.',
      ),
    learningRate: z
      .number()
      .positive()
      .max(10)
      .default(0.025)
      .describe("Step size at the start. Default 0.025, Gensim's. More learns faster and less steadily."),
    finalLearningRate: z
      .number()
      .min(0)
      .max(10)
      .default(1e-4)
      .describe('Step size at the end, to which it falls linearly; at most learningRate. Default 0.0001, Gensim’s.'),
    minimumCount: z
      .int()
      .min(1)
      .max(1000)
      .default(1)
      .describe(
        'Words that come fewer times in all documents together are left out. Default 1, which keeps all; Gensim’s 5 would leave few titles a word of their own.',
      ),
    negativePower: z
      .number()
      .min(0)
      .max(2)
      .default(0.75)
      .describe('Negatives are drawn in proportion to how often they come, to this power. Default 0.75. 0 is uniform.'),
  })
  .superRefine((parameters, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    checkContextUpdate(parameters, refuse);
    checkVectorSteps(parameters, refuse);
  });
