import type { Study } from '../study.ts';
import { PRETRAINING_SEEDS } from './tasks.ts';

const PANELS = [
  { name: 'figure-1a', title: '(a) Variance of each dimension' },
  { name: 'figure-1b', title: '(b) Loss of each pretraining' },
  { name: 'figure-1c', title: '(c) Variances through training' },
  { name: 'figure-1d', title: '(d) Variances of inner products' },
  { name: 'figure-1-downstream', title: 'Right: fluctuation downstream' },
] as const;

/** Featurizing, Figure 1: how unstable pretrained embeddings are. */
export const featurizingFigure1Study: Study = {
  name: 'featurizing/figure-1',
  title: 'Instability of pretrained embeddings on MovieLens 1M',
  source: 'Figure 1, Section 1',
  notes:
    'Variances are over ten pretrainings, which one run holds: they are a statistic of all of them. Figure 1c is of h as it is ' +
    'trained. Rows of length 1 have variances of 1/d on average from the first epoch on, since their directions are random.',
  arms: [
    {
      name: 'ml-1m',
      label: 'item2vec, d = 32',
      kind: 'featurize-stability',
      preset: 'featurizing/figure-1',
      minutes: 10,
      quick: { parameters: { pretrainings: 3, epochs: 4 }, dataset: { maximumUsers: 1000 }, minutes: 0.5 },
    },
  ],
  seeds: PRETRAINING_SEEDS,
  figures: [
    {
      name: 'panels',
      title: 'The panels of Figure 1',
      shows:
        'Losses converge to one value, while the entries of h differ from run to run, the more the longer training goes on.',
      panels: PANELS.map(({ name, title }) => ({ title, arm: 'ml-1m', artifact: `${name}.png` })),
    },
    {
      name: 'through-training',
      title: 'Mean variance of the entries of h by epoch',
      shows: 'The variance grows as pretraining goes on.',
      panels: [
        {
          title: 'h',
          form: 'line',
          x: { label: 'epoch' },
          y: { label: 'variance' },
          series: [
            { label: 'h', curve: { arm: 'ml-1m', metric: 'variance/raw-h-through-training' } },
            { label: 'h, rows of length 1', curve: { arm: 'ml-1m', metric: 'variance/h-through-training' } },
          ],
        },
      ],
    },
  ],
  claims: [
    {
      name: 'variance-grows',
      text: 'The uncertainty of the representation increases as pretraining progresses.',
      source: 'Section 1, Figure 1c',
      statements: [
        {
          value: {
            parts: (['last', 'lowest'] as const).map((take) => ({
              arm: 'ml-1m',
              metric: 'variance/raw-h-through-training',
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
