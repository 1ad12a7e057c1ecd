import { z } from 'zod';
import { tooManyDirections } from './featureDimension.ts';

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

/** Parameters of φ_ε, a row that the kinds of Table 1 and Table A.1 add. */
export const featureErrorParameters = {
  featureError: z
    .number()
    .gt(0)
    .lt(1)
    .nullable()
    .default(null)
    .describe(
      'Error ε of ⟨φ, φ⟩ as a kernel value: adds the row phi-epsilon, with as many directions as ε asks for, at most 4,096. Default null, no such row; from 0 to 1, both excluded. A larger one asks for fewer, by its square.',
    ),
  featureErrorBy: z
    .enum(['rule', 'bound'])
    .default('rule')
    .describe(
      'How directions follow from ε: rule, d/ε² ln(σ/ε) as in Section 5 with the constant 1; bound, so many that all pairs are within ε with probability 0.95, which is several times more. Default rule. Used only where featureError is given.',
    ),
};

/** Refuses combinations that contradict each other, and an ε that asks for more directions than are computed. */
export function checkFeaturize(
  parameters: {
    kernel: string;
    orthogonal: boolean;
    subscript: string;
    dimension: number;
    sigmaSquared: number;
    featureError?: number | null;
    featureErrorBy?: 'rule' | 'bound';
  },
  refuse: (path: string, message: string) => void,
): void {
  const { featureError = null, featureErrorBy = 'rule' } = parameters;
  if (featureError !== null && parameters.kernel !== 'gaussian') {
    refuse(
      'featureError',
      `how many directions ε asks for is known of the gaussian kernel, not of ${parameters.kernel}`,
    );
  }
  const tooMany = tooManyDirections({ ...parameters, featureError, featureErrorBy });
  if (tooMany !== null) refuse('featureError', tooMany);
  if (parameters.orthogonal && parameters.kernel !== 'gaussian') {
    refuse('orthogonal', `the ${parameters.kernel} kernel has no orthogonal directions: gaussian is expected`);
  }
  if (parameters.subscript === 'dimension' && parameters.dimension % 2 === 1) {
    refuse('dimension', `φ_d of length ${parameters.dimension}: features come in pairs, so an even number is expected`);
  }
}
