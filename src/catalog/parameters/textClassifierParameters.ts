import { z } from 'zod';

/** Parameters of the classifier of texts, and of how it is trained. */
export const textClassifierParameters = z.strictObject({
  units: z
    .int()
    .min(1)
    .max(1024)
    .default(64)
    .describe(
      "Units of the recurrent layer in each direction. Default 64, the tutorial's that the paper follows. More fits closer; time grows with the square.",
    ),
  denseUnits: z
    .int()
    .min(1)
    .max(4096)
    .default(64)
    .describe(
      "Units of the dense layer behind it, whose output is the last hidden layer of Figure A.1. Default 64, the tutorial's; for that figure the paper has 32. More fits closer.",
    ),
  maximumLength: z
    .int()
    .min(0)
    .max(100_000)
    .default(0)
    .describe(
      'Reviews are cut to their first words, this many, for the classifier; 0 reads them whole. Default 0, as in the tutorial. More reads more, in proportionally more time.',
    ),
  batchSize: z
    .int()
    .min(1)
    .max(100_000)
    .default(64)
    .describe("Reviews of a step. Default 64, the tutorial's. More makes fewer, steadier steps."),
  learningRate: z
    .number()
    .positive()
    .max(10)
    .default(1e-4)
    .describe('Step size of Adam. Default 0.0001, the paper’s. More learns faster and less steadily.'),
  weightDecays: z
    .array(z.number().min(0).max(10))
    .min(1)
    .max(20)
    .refine((values) => new Set(values).size === values.length, 'expected each value once')
    .default([1e-6, 1e-5, 1e-4, 1e-3, 1e-2])
    .describe(
      'Values of the L2 penalty λ, added to the gradient of all parameters, that are tried: the one with the best validation accuracy is tested, the first of equal ones. Default 1e-6 to 1e-2, the paper’s. More keeps weights smaller; each value is one training more.',
    ),
  epochs: z
    .int()
    .min(1)
    .max(10_000)
    .default(200)
    .describe('Passes over the training reviews at most. Default 200; the paper stops by patience. More fits closer.'),
  patience: z
    .int()
    .min(0)
    .max(10_000)
    .default(5)
    .describe(
      'Stop after so many epochs in a row without a better validation accuracy; 0 trains all epochs. The parameters of the best epoch are tested. Default 5, the paper’s. More waits longer.',
    ),
  sameSeed: z
    .boolean()
    .default(true)
    .describe(
      'Train on every pretraining from the same seed, so that results differ by the word vectors alone. Default true; false draws another start and order for each. The paper does not say.',
    ),
});
