import type { Study } from '../study.ts';

/** Featurizing, Propositions 1 to 4 and Lemma 1, as simulations that could refute them. */
export const featurizingPropositionsStudy: Study = {
  name: 'featurizing/propositions',
  title: 'Propositions 1 to 4 and Lemma 1 as simulations',
  source: 'Propositions 1 to 4, Lemma 1, Sections 4 and 5',
  notes:
    'All simulations are one run of less than a minute. Proposition 2 holds with the sign of its recursion corrected, Proposition 4 has its index mended (errata 27).',
  arms: [
    {
      name: 'theory',
      label: 'simulations',
      kind: 'featurize-theory',
      preset: 'featurizing/theory',
      minutes: 1,
    },
  ],
  seeds: { quick: [1, 2, 3], paper: [1, 2, 3] },
  figures: [
    {
      name: 'curves',
      title: 'Simulations of each proposition',
      shows: 'The paper has no such pictures: they show what each statement says would happen.',
      panels: [1, 2, 3, 4].map((number) => ({
        title: `Proposition ${number}`,
        arm: 'theory',
        artifact: `proposition-${number}.png`,
      })),
    },
  ],
  claims: [
    {
      name: 'proposition-1',
      text: 'The risk of pretrained representations keeps to its bound with probability 1 - δ (here: the corrected bound is never broken).',
      source: 'Proposition 1',
      statements: [
        {
          value: { arm: 'theory', metric: 'proposition-1/broken-share', take: 'highest' },
          words: 'largest share of draws above the bound',
          to: 0.1,
        },
      ],
    },
    {
      name: 'proposition-2',
      text: 'The output of ever wider networks converges to a deterministic limit.',
      source: 'Proposition 2',
      statements: [
        { value: { arm: 'theory', metric: 'proposition-2/slope' }, words: 'slope of the log-log error', to: -0.4 },
      ],
    },
    {
      name: 'proposition-3',
      text: 'The error of regression on unstable representations is at least of the order of its bound: it falls with the samples and with the noise no faster than the bound does (here: by at most twice as much).',
      source: 'Proposition 3',
      statements: [
        {
          value: {
            parts: (['last', 'highest'] as const).flatMap((take) =>
              ['lasso-error', 'bound'].map((metric) => ({ arm: 'theory', metric: `noise-0.05/${metric}`, take })),
            ),
            combine: ([error = Number.NaN, bound = Number.NaN, first = Number.NaN, firstBound = Number.NaN]) =>
              error / bound / (first / firstBound),
            words: 'error over its bound with the most samples, over the same with the fewest',
          },
          words: 'error of the lasso over its bound with the most samples, over the same with the fewest',
          from: 0.5,
        },
        {
          value: {
            parts: ['noise-0.05', 'noise-1'].flatMap((noise) =>
              ['lasso-error', 'bound'].map((metric) => ({ arm: 'theory', metric: `${noise}/${metric}` })),
            ),
            combine: ([error = Number.NaN, bound = Number.NaN, noisy = Number.NaN, noisyBound = Number.NaN]) =>
              error / bound / (noisy / noisyBound),
            words: 'error over its bound with the least noise, over the same with the most',
          },
          words: 'error of the lasso over its bound with the least noise, over the same with the most',
          from: 0.5,
        },
      ],
    },
    {
      name: 'proposition-4',
      text: 'The instability caused by another Q vanishes as the number of features grows.',
      source: 'Proposition 4',
      statements: [
        {
          value: {
            parts: (['last', 'highest'] as const).map((take) => ({
              arm: 'theory',
              metric: 'proposition-4/difference-over-ball',
              take,
            })),
            combine: ([last = Number.NaN, highest = Number.NaN]) => last / highest,
            words: 'difference over the ball with the most features over that with the fewest',
          },
          words: 'difference over the ball with the most features over that with the fewest',
          to: 0.25,
        },
      ],
    },
    {
      name: 'lemma-1',
      text: 'The risk of the Nadaraya-Watson estimator keeps to its bound but with probability δ.',
      source: 'Lemma 1',
      statements: [
        {
          value: { arm: 'theory', metric: 'lemma-1/broken-share', take: 'lowest' },
          words: 'share of problems that break the bound at δ = 0.1',
          to: 0.1,
        },
      ],
    },
  ],
};
