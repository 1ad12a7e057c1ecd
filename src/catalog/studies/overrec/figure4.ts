import type { Study } from '../study.ts';
import { widthPanel } from './figure1.ts';
import { limitArm, WIDTH_DATASETS, WIDTH_SEEDS, WIDTHS, widthArm, widthArmName } from './widths.ts';

/** OverRec, Figure 4: training loss and test performance by width. */
export const overrecFigure4Study: Study = {
  name: 'overrec/figure-4',
  title: 'Training loss and test performance by width, beside OverRec',
  source: 'Figure 4, Section VI-C',
  notes: 'The runs are those of Figure 1.',
  arms: WIDTH_DATASETS.flatMap((of) => [...WIDTHS.map((width) => widthArm(of, width)), limitArm(of)]),
  seeds: WIDTH_SEEDS,
  figures: [
    {
      name: 'loss',
      title: 'Training loss after the last epoch by width',
      shows: 'The wider the model, the lower its best training loss.',
      panels: WIDTH_DATASETS.map((of) => ({
        title: of.label,
        form: 'line' as const,
        x: { label: 'width n', logarithmic: true },
        y: { label: 'training loss' },
        series: [
          {
            label: 'lowest',
            points: WIDTHS.map((n) => ({
              x: n,
              value: { arm: widthArmName(of, n), metric: 'train/loss', take: 'lowest' as const },
            })),
          },
        ],
      })),
    },
    {
      name: 'mrr',
      title: 'MRR@10 by width',
      shows: 'The double ascent, whether training stops early or not.',
      panels: WIDTH_DATASETS.map((of) => widthPanel(of, 'mrr@10')),
    },
    {
      name: 'ndcg',
      title: 'NDCG@10 by width',
      shows: 'The double ascent, whether training stops early or not.',
      panels: WIDTH_DATASETS.map((of) => widthPanel(of, 'ndcg@10')),
    },
  ],
  claims: [
    {
      name: 'wider-fits-closer',
      text: 'A larger model can achieve a lower training loss.',
      source: 'Section VI-C',
      statements: WIDTH_DATASETS.flatMap((of) =>
        (
          [
            [2, 16],
            [16, 128],
            [128, 512],
          ] as const
        ).map(([narrow, wide]) => ({
          above: widthArmName(of, narrow),
          below: widthArmName(of, wide),
          metric: 'train/loss',
        })),
      ),
    },
    {
      name: 'close-to-widest',
      text: 'OverRec performs closely to very large RNN models (here: within 25 % of n = 4096 in NDCG@10).',
      source: 'Section VI-C',
      statements: WIDTH_DATASETS.map((of) => ({
        value: {
          parts: [limitArm(of).name, widthArmName(of, 4096)].map((arm) => ({ arm, metric: 'test/ndcg@10' })),
          combine: ([limit = Number.NaN, widest = Number.NaN]: readonly number[]) => limit / widest,
          words: 'NDCG@10 of OverRec over that of n = 4096',
        },
        words: `NDCG@10 of OverRec over that of n = 4096, ${of.label}`,
        from: 0.75,
        to: 1.25,
      })),
    },
  ],
};
