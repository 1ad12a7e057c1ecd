import { z } from 'zod';
import type { BuiltInKind } from '../kind.ts';
import { cited } from '../published/papers.ts';

const counts = (initial: number[], what: string) =>
  z
    .array(z.int().min(2).max(100_000))
    .min(2)
    .max(20)
    .default(initial)
    .describe(`${what} Default ${initial.join(', ')}. Larger ones take longer.`);

export const featurizeTheoryParameters = z
  .strictObject({
    trials: z
      .int()
      .min(5)
      .max(100_000)
      .default(200)
      .describe(
        'Draws for each point of each simulation. Default 200. More give smaller errors in proportionally more time.',
      ),
    widths: counts([16, 64, 256, 1024], 'Widths d of the networks of Proposition 2.'),
    samples: counts([100, 200, 400, 800], 'Samples n of Propositions 1, 3 and 4.'),
    features: counts([16, 64, 256, 1024], 'Directions m of Proposition 4.'),
    dimension: z
      .int()
      .min(10)
      .max(1000)
      .default(50)
      .describe('Length d of the representations of Proposition 3. Default 50. More makes the support harder to find.'),
    sparsity: z
      .int()
      .min(1)
      .max(100)
      .default(5)
      .describe(
        'Entries q of θ* that are not 0 in Proposition 3, fewer than dimension. Default 5. More are harder to estimate.',
      ),
    noiseRatios: z
      .array(z.number().positive().max(100))
      .min(2)
      .max(10)
      .default([0.05, 0.25, 1])
      .describe('Ratios σ_ε²/σ_h² of Proposition 3. Default 0.05, 0.25 and 1. More hides the representation further.'),
  })
  .superRefine(({ dimension, sparsity }, context) => {
    if (sparsity >= dimension) {
      context.addIssue({
        code: 'custom',
        path: ['sparsity'],
        message: `fewer than the dimension ${dimension} are expected`,
      });
    }
  });

export type FeaturizeTheoryParameters = z.output<typeof featurizeTheoryParameters>;

export const featurizeTheoryKind: BuiltInKind<'featurize-theory', typeof featurizeTheoryParameters> = {
  kind: 'featurize-theory',
  version: 1,
  title: 'Propositions of featurizing, as simulations',
  description:
    'Simulations that could refute what the paper states: the risk of pretrained representations against its bound, and whether that vanishes with more samples (Proposition 1), the deterministic limit of wide networks (Proposition 2), the error of regression on unstable representations (Proposition 3), the alignment of a kernel over a ball of measures Q (Proposition 4), the risk of the Nadaraya-Watson estimator against its bound (Lemma 1). Each point stands at the quantity that grows as its step.',
  source: cited('featurizing', 'Sections 4 and 5: Propositions 1 to 4, Lemma 1'),
  parameters: featurizeTheoryParameters,
  data: 'none',
  presets: [
    { name: 'featurizing/theory', description: 'All simulations: less than a minute.', dataset: null, parameters: {} },
    {
      name: 'demo/featurize-theory-small',
      description: 'A few seconds.',
      dataset: null,
      parameters: {
        trials: 40,
        widths: [16, 64, 256],
        samples: [50, 100],
        features: [16, 64],
        dimension: 20,
        sparsity: 3,
      },
    },
  ],
  primaryMetric: 'proposition-3/lasso-error',
};
