import { z } from 'zod';
import { checkContextUpdate, contextUpdate } from './contextUpdate.ts';
import { checkVectorSteps } from './vectorSteps.ts';

/** Parameters of word2vec on the words of texts. */
export const wordVectorParameters = z
  .strictObject({
    model: z
      .enum(['skip-gram', 'cbow'])
      .default('skip-gram')
      .describe(
        'skip-gram predicts a word from each word of its context, cbow from their mean. Default skip-gram, as Appendix F describes the objective; the paper does not name it.',
      ),
    contextUpdate,
    window: z
      .int()
      .min(1)
      .max(1000)
      .default(3)
      .describe(
        "Words to each side that are a word's context at most (the paper's #ws). Default 3. More relates words further apart, in more time; one longer than the texts takes them whole.",
      ),
    negatives: z
      .int()
      .min(1)
      .max(1000)
      .default(3)
      .describe("Words drawn against each prediction (the paper's #ns). Default 3. More contrasts more, in more time."),
    shrinkWindow: z
      .boolean()
      .default(true)
      .describe(
        'Draw the window of each word uniformly from 1 to window, so that nearer words count more. Default true, as word2vec does it; false takes the whole window.',
      ),
    subsample: z
      .number()
      .min(0)
      .max(1)
      .default(1e-3)
      .describe(
        "Threshold t: a word with frequency f stays with probability √(t/f) + t/f. Default 0.001, word2vec's; 0 keeps all. Smaller ones drop more of the frequent words.",
      ),
    epochs: z
      .int()
      .min(1)
      .max(10_000)
      .default(30)
      .describe('Passes over the texts. Default 30, the paper’s. More fits closer.'),
    learningRate: z
      .number()
      .positive()
      .max(10)
      .default(0.025)
      .describe("Step size at the start. Default 0.025, word2vec's for skip-gram. More learns faster, less steadily."),
    finalLearningRate: z
      .number()
      .min(0)
      .max(10)
      .default(1e-4)
      .describe('Step size at the end, to which it falls linearly; at most learningRate. Default 0.0001, word2vec’s.'),
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
