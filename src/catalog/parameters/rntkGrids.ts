import { z } from 'zod';

/** Kernels of RNTK, Section 4. */
export const RNTK_KERNELS = ['rntk', 'ntk', 'rbf', 'polynomial'] as const;
export type RntkKernel = (typeof RNTK_KERNELS)[number];

/** Values of each hyperparameter that are tried; all combinations make the grid. */
export type KernelGrid = Readonly<Record<string, readonly number[]>>;

/** The paper's grids (RNTK A.1), hyperparameters of the kernels without the cost C or the ridge. */
export const RNTK_GRIDS: Readonly<Record<RntkKernel, KernelGrid>> = {
  rntk: {
    samplesPerStep: [1],
    sigmaW: [1.34, 1.35, 1.36, 1.37, 1.38, 1.39, 1.4, 1.41, Math.SQRT2, 1.42, 1.43, 1.44, 1.45, 1.46, 1.47],
    sigmaB: [0, 0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 0.9, 1, 2],
    sigmaH: [0, 0.01, 0.1, 0.5, 1],
    sigmaU: [1],
  },
  ntk: {
    layers: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    sigmaW: [0.5, 1, Math.SQRT2, 2, 2.5, 3],
    sigmaB: [0, 0.01, 0.1, 0.2, 0.5, 0.8, 1, 2, 5],
  },
  rbf: { alpha: [0.01, 0.05, 0.1, 0.2, 0.5, 0.6, 0.7, 0.8, 1, 2, 3, 4, 5, 10, 20, 30, 40, 100] },
  polynomial: { degree: [1, 2, 3, 4, 5], offset: [0, 0.1, 0.2, 0.5, 1, 2] },
};

export const RNTK_COSTS = [0.01, 0.1, 1, 10, 100];

/** The paper prints 0.8 twice. */
export const RNTK_RIDGES = [0, 0.01, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 1, 2, 3, 4, 5, 6, 7, 8, 10, 100];

const values = (schema: z.ZodNumber, words: string) =>
  z
    .array(schema)
    .min(1)
    .max(50)
    .nullable()
    .default(null)
    .describe(
      `${words} Default null: the paper's values where the kernel has this hyperparameter, which others ignore.`,
    );

const sigmas = (what: string) => values(z.number().min(0).max(10), `Standard deviations of ${what} that are tried.`);

/** Parameters that name the values tried for each hyperparameter of a kernel. */
export const gridParameters = {
  samplesPerStep: values(
    z.int().min(1).max(1_000),
    'Consecutive samples of a series that one time step reads as a vector, tried beside each other (rntk). Above 1, steps are fewer and the kernel that much faster; zeros before a series fill up its first step.',
  ),
  sigmaW: sigmas('the recurrent weights (rntk) or the weights (ntk)'),
  sigmaU: sigmas('the input weights (rntk)'),
  sigmaB: sigmas('the biases (rntk, ntk)'),
  sigmaH: sigmas('the initial hidden state (rntk)'),
  layers: values(z.int().min(1).max(20), 'Hidden layers that are tried (ntk).'),
  alpha: values(z.number().positive().max(1e6), 'Factors of the squared distance that are tried (rbf).'),
  degree: values(z.int().min(1).max(20), 'Degrees that are tried (polynomial).'),
  offset: values(z.number().min(0).max(1e3), 'Constants r added to the inner product that are tried (polynomial).'),
};

/** The grid of a kernel: the given values, and the paper's for what is left open. */
export function gridOf(
  kernel: RntkKernel,
  given: { readonly [name in keyof typeof gridParameters]?: readonly number[] | null },
): KernelGrid {
  const named: Readonly<Record<string, readonly number[] | null>> = given;
  return Object.fromEntries(Object.entries(RNTK_GRIDS[kernel]).map(([name, usual]) => [name, named[name] ?? usual]));
}

export const ascendingCosts = z
  .array(z.number().positive().max(1e9))
  .min(1)
  .max(30)
  .refine((costs) => costs.every((cost, i) => i === 0 || cost > costs[i - 1]!), 'expected values that ascend')
  .default(RNTK_COSTS)
  .describe(
    'Costs C of the support vector machine that are tried, ascending. A larger C allows fewer training errors.',
  );
