import type { FigurePanel, Study, StudyComparison } from '../study.ts';
import { limitArm, WIDTH_DATASETS, WIDTH_SEEDS, type WidthDataset, WIDTHS, widthArm, widthArmName } from './widths.ts';

/** A metric by width: with early stopping, at the last epoch, and of OverRec as a level. */
export function widthPanel(of: WidthDataset, metric: 'ndcg@10' | 'mrr@10'): FigurePanel {
  const label = metric.toUpperCase();
  return {
    title: of.label,
    form: 'line',
    x: { label: 'width n', logarithmic: true },
    y: { label },
    series: [
      {
        label: 'early stopping, test',
        points: WIDTHS.map((n) => ({ x: n, value: { arm: widthArmName(of, n), metric: `test/${metric}` } })),
      },
      {
        label: 'last epoch, validation',
        points: WIDTHS.map((n) => ({ x: n, value: { arm: widthArmName(of, n), metric: `valid/${metric}` } })),
      },
      {
        label: 'OverRec, test',
        points: [WIDTHS[0], WIDTHS[WIDTHS.length - 1]!].map((n) => ({
          x: n,
          value: { arm: limitArm(of).name, metric: `test/${metric}` },
        })),
      },
    ],
  };
}

const above = (of: WidthDataset, upper: (typeof WIDTHS)[number], lower: (typeof WIDTHS)[number]): StudyComparison => ({
  above: widthArmName(of, upper),
  below: widthArmName(of, lower),
  metric: 'test/ndcg@10',
});

/** OverRec, Figure 1: the double ascent of test performance with the width. */
export const overrecFigure1Study: Study = {
  name: 'overrec/figure-1',
  title: 'Double ascent: test performance of recurrent networks by width',
  source: 'Figure 1, Section I',
  notes:
    'The paper draws test values after every epoch; here nothing is tested but the parameters of the best validation, and the last epoch is drawn from validation. Widths above 512 ask for a graphics processor.',
  arms: WIDTH_DATASETS.flatMap((of) => [...WIDTHS.map((width) => widthArm(of, width)), limitArm(of)]),
  seeds: WIDTH_SEEDS,
  figures: [
    {
      name: 'ndcg',
      title: 'NDCG@10 by width',
      shows: 'Performance ascends, descends and ascends again; the widest come near to OverRec.',
      panels: WIDTH_DATASETS.map((of) => widthPanel(of, 'ndcg@10')),
    },
  ],
  claims: [
    {
      name: 'double-ascent',
      text: 'Test performance first ascends, then descends and finally ascends again with the size of the model (here on Beauty: 2 < 16 > 256 < 4096).',
      source: 'Section I, Figure 1',
      statements: [
        above(WIDTH_DATASETS[0], 16, 2),
        above(WIDTH_DATASETS[0], 16, 256),
        above(WIDTH_DATASETS[0], 4096, 256),
      ],
    },
  ],
};
