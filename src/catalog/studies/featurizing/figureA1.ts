import type { Study } from '../study.ts';
import { PRETRAINING_SEEDS } from './tasks.ts';

const PANELS = [
  { name: 'figure-a1a', title: '(a) Variance of each dimension' },
  { name: 'figure-a1b-loss', title: '(b) Loss' },
  { name: 'figure-a1b-accuracy', title: '(b) Accuracy' },
  { name: 'figure-a1c', title: '(c) Variances through training' },
] as const;

/** Featurizing, Figure A.1: the same instability in a classifier of reviews. */
export const featurizingFigureA1Study: Study = {
  name: 'featurizing/figure-a1',
  title: 'Instability of the last hidden layer on IMDB',
  source: 'Figure A.1, Appendix F.1',
  notes: '6,000 of the 50,000 reviews, with 32 units and ten epochs: the run of Table A.1 with joint trainings.',
  arms: [
    {
      name: 'imdb',
      label: 'joint trainings, d = 32',
      kind: 'featurize-sentiment',
      preset: 'featurizing/table-a1-d32',
      minutes: 15,
      quick: {
        parameters: { pretrainings: 2, word2vec: { epochs: 3 }, classifier: { epochs: 2, maximumLength: 30 } },
        minutes: 1,
      },
    },
  ],
  seeds: PRETRAINING_SEEDS,
  figures: [
    {
      name: 'panels',
      title: 'The panels of Figure A.1',
      shows: 'The patterns of Figure 1 on other data: high variances, which grow with training.',
      panels: PANELS.map(({ name, title }) => ({ title, arm: 'imdb', artifact: `${name}.png` })),
    },
  ],
  claims: [
    {
      name: 'variance-grows',
      text: 'Variances get larger as the training progresses.',
      source: 'Appendix F.1',
      statements: [
        {
          value: {
            parts: (['last', 'lowest'] as const).map((take) => ({
              arm: 'imdb',
              metric: 'variance/hidden-through-training',
              take,
            })),
            combine: ([last = Number.NaN, lowest = Number.NaN]) => last / lowest,
            words: 'variance at the end over the smallest before',
          },
          words: 'variance at the end over the smallest before',
          from: 1.2,
        },
      ],
    },
  ],
};
