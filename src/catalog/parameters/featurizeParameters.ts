import { z } from 'zod';

/** Parameters of the map φ_m(h, Q) and of the pretrainings that it is measured over, which the featurizing kinds share. */
export const featurizeParameters = {
  pretrainings: z
    .int()
    .min(2)
    .max(100)
    .default(10)
    .describe(
      'Independent pretrainings, that differ in their seed alone. Default 10, as in the paper. Not used where the run has inputs: each is then the embeddings of one. More give steadier deviations in proportionally more time.',
    ),
  sigmaSquared: z
    .number()
    .positive()
    .max(1e6)
    .default(1)
    .describe(
      'Variance σ_Q² of the directions in each coordinate. Default 1, the standard Gaussian. More makes the kernel narrower, so that only nearer items are alike.',
    ),
  kernel: z
    .enum(['gaussian', 'laplace', 'cauchy'])
    .default('gaussian')
    .describe(
      'Kernel that the features stand for, and with it what directions are drawn from. Default gaussian, the paper’s; σ_Q is then the scale.',
    ),
  orthogonal: z
    .boolean()
    .default(false)
    .describe(
      'Directions at right angles in blocks of d, which lowers the error of the features. Default false, as in the paper. Only for gaussian.',
    ),
  featureSeed: z
    .int()
    .min(0)
    .max(2 ** 32 - 1)
    .default(0)
    .describe(
      'Seed of the directions: with the dimension, their number and σ_Q all that is stored of φ. Default 0. The same for every pretraining.',
    ),
  subscript: z
    .enum(['dimension', 'directions'])
    .default('dimension')
    .describe(
      'What d means in φ_d: its length, made of d/2 directions, or the number of directions, with 2d features. Default dimension, as in the paper’s Table 1.',
    ),
};

/** Refuses combinations that contradict each other. */
export function checkFeaturize(
  parameters: { kernel: string; orthogonal: boolean; subscript: string; dimension: number },
  refuse: (path: string, message: string) => void,
): void {
  if (parameters.orthogonal && parameters.kernel !== 'gaussian') {
    refuse('orthogonal', `the ${parameters.kernel} kernel has no orthogonal directions: gaussian is expected`);
  }
  if (parameters.subscript === 'dimension' && parameters.dimension % 2 === 1) {
    refuse('dimension', `φ_d of length ${parameters.dimension}: features come in pairs, so an even number is expected`);
  }
}
