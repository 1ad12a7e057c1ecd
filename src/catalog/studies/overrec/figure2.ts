import type { Study } from '../study.ts';
import { WIDTH_DATASETS, WIDTH_SEEDS, WIDTHS, widthArm, widthArmName } from './widths.ts';

const [BEAUTY] = WIDTH_DATASETS;

/** OverRec, Figure 2: tied against untied embeddings by width. */
export const overrecFigure2Study: Study = {
  name: 'overrec/figure-2',
  title: 'Tied and untied input and output embeddings by width',
  source: 'Figure 2, Section IV-A',
  notes: 'The text at hand does not say on which dataset; here, Beauty.',
  arms: [true, false].flatMap((tied) => WIDTHS.map((width) => widthArm(BEAUTY, width, tied))),
  seeds: WIDTH_SEEDS,
  figures: [
    {
      name: 'ndcg',
      title: 'NDCG@10 by width',
      shows: 'With and without tying, performance becomes alike as the width grows.',
      panels: [
        {
          title: BEAUTY.label,
          form: 'line',
          x: { label: 'width n', logarithmic: true },
          y: { label: 'NDCG@10' },
          series: [true, false].map((tied) => ({
            label: tied ? 'tied' : 'untied',
            points: WIDTHS.map((n) => ({
              x: n,
              value: { arm: widthArmName(BEAUTY, n, tied), metric: 'test/ndcg@10' },
            })),
          })),
        },
      ],
    },
  ],
  claims: [
    {
      name: 'alike-when-wide',
      text: 'For wide networks tied and untied embeddings behave alike (here: within 10 % at n = 4096).',
      source: 'Section IV-A, Theorem 2',
      statements: [
        {
          value: {
            parts: [false, true].map((tied) => ({
              arm: widthArmName(BEAUTY, 4096, tied),
              metric: 'test/ndcg@10',
            })),
            combine: ([untied = Number.NaN, tied = Number.NaN]) => untied / tied,
            words: 'NDCG@10 untied over tied at n = 4096',
          },
          words: 'NDCG@10 untied over tied at n = 4096',
          from: 0.9,
          to: 1.1,
        },
      ],
    },
  ],
};
