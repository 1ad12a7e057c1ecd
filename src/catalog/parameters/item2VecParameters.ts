import { z } from 'zod';
import { checkContextUpdate, contextUpdate } from './contextUpdate.ts';
import { checkVectorSteps, type VectorSteps } from './vectorSteps.ts';

/** Parameters of item2vec, which its downstream kinds share. */
export const item2VecParameters = {
  model: z
    .enum(['skip-gram', 'cbow'])
    .default('skip-gram')
    .describe(
      'skip-gram predicts an item from each item of its context, cbow from their mean. Default skip-gram, as Item2vec has it.',
    ),
  contextUpdate,
  window: z
    .int()
    .min(1)
    .max(1000)
    .default(3)
    .describe(
      "Items to each side that are an item's context (the paper's #ws). Default 3. More relates items further apart, in proportionally more time; one longer than the sequences takes them whole.",
    ),
  shrinkWindow: z
    .boolean()
    .default(false)
    .describe(
      'Draw the window of each item uniformly from 1 to window, as word2vec does, so that nearer items count more. Default false: the whole window, as the paper has it.',
    ),
  negatives: z
    .int()
    .min(1)
    .max(1000)
    .default(3)
    .describe(
      "Items drawn against each prediction (the paper's #ns). Default 3. More contrasts more, in proportionally more time.",
    ),
  dimension: z
    .int()
    .min(2)
    .max(4096)
    .default(32)
    .describe(
      "Length d of the representation. Default 32, as in the paper's Table 1. More can hold more and takes longer.",
    ),
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
    .max(10_000)
    .default(30)
    .describe(
      'Passes over the sequences at most. Default 30. More fits closer; the learning rate falls over all of them.',
    ),
  learningRate: z
    .number()
    .positive()
    .max(10)
    .default(0.025)
    .describe("Step size at the start. Default 0.025, word2vec's. More learns faster and less steadily."),
  finalLearningRate: z
    .number()
    .min(0)
    .max(10)
    .default(1e-4)
    .describe('Step size at the end, to which it falls linearly; at most learningRate. Default 0.0001, word2vec’s.'),
  subsample: z
    .number()
    .min(0)
    .max(1)
    .default(0)
    .describe(
      'Threshold t: an item with frequency f stays in a sequence with probability √(t/f) + t/f. Default 0, which keeps all. Smaller ones drop more of the popular items.',
    ),
  negativePower: z
    .number()
    .min(0)
    .max(2)
    .default(0.75)
    .describe('Negatives are drawn in proportion to popularity to this power. Default 0.75, word2vec’s. 0 is uniform.'),
  patience: z
    .int()
    .min(0)
    .max(10_000)
    .default(3)
    .describe(
      'Stop after so many epochs in a row in which the loss fell by less than minimumImprovement; 0 trains all epochs. Default 3, the paper’s. More waits longer.',
    ),
  minimumImprovement: z
    .number()
    .min(0)
    .max(10)
    .default(1e-4)
    .describe('Least fall of the loss that counts for patience. Default 0.0001, the paper’s. More stops sooner.'),
  method: z
    .enum(['word2vec', 'adam'])
    .default('word2vec')
    .describe(
      'word2vec: stochastic gradient descent pair by pair with a falling rate, by the compiled kernel. adam: the same loss in batches with Adam on the tensor backend, the paper’s way, which takes some twenty times as long without a graphics processor. Default word2vec.',
    ),
  adam: z
    .strictObject({
      learningRate: z
        .number()
        .positive()
        .max(10)
        .default(0.001)
        .describe('Step size. Default 0.001, the paper’s. More learns faster and less steadily.'),
      batchSize: z
        .int()
        .min(1)
        .max(1_000_000)
        .default(4096)
        .describe('Pairs of a step. Default 4096; the paper does not say. More makes fewer, steadier steps.'),
    })
    .prefault({})
    .describe('What the method adam has for learningRate and finalLearningRate; only it reads this.'),
  deterministic: z
    .boolean()
    .default(true)
    .describe(
      'Train in one thread, so that a seed gives the same bits. Default true. False uses all threads of the run, each writing to the same vectors: faster, and never the same twice.',
    ),
};

export type Item2VecParameters = z.output<z.ZodObject<typeof item2VecParameters>>;

/** Refuses combinations that contradict each other. */
export function checkItem2Vec(
  parameters: VectorSteps & Pick<Item2VecParameters, 'method' | 'model' | 'contextUpdate' | 'subsample'>,
  refuse: (path: string, message: string) => void,
): void {
  if (parameters.method === 'adam' && parameters.model !== 'skip-gram')
    refuse('model', 'the method adam has skip-gram only');
  if (parameters.method === 'adam' && parameters.subsample > 0)
    refuse('subsample', 'the method adam drops nothing: 0 is expected');
  checkContextUpdate(parameters, refuse);
  checkVectorSteps(parameters, refuse);
}
