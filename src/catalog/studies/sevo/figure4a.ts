import type { Study } from '../study.ts';
import { SEVO_DATASET_LABELS, SEVO_SEEDS, STUDIED, sasRecPair, sevoArm } from './backbones.ts';

/** SEvo, Figure 4a: training loss with and without rescaling of the Neumann series. */
export const sevoFigure4aStudy: Study = {
  name: 'sevo/figure-4a',
  title: 'Convergence with and without rescaling',
  source: 'Figure 4a, Section 5.3',
  arms: STUDIED.flatMap((dataset) => {
    const { plain, sevo } = sasRecPair(dataset);
    const neumann = sevoArm({ backbone: 'sasrec', dataset, suffix: '-neumann', label: 'SEvo without rescaling' });
    return [plain, neumann, sevo];
  }),
  seeds: SEVO_SEEDS,
  figures: [
    {
      name: 'loss',
      title: 'Training loss by epoch',
      shows: 'Without rescaling training is far slower; with it the loss starts marginally behind and catches up.',
      panels: STUDIED.map((dataset) => ({
        title: SEVO_DATASET_LABELS[dataset],
        form: 'line' as const,
        x: { label: 'epoch' },
        y: { label: 'training loss' },
        series: [
          ['without SEvo', 'sasrec'],
          ['SEvo without rescaling', 'sasrec-neumann'],
          ['SEvo with rescaling', 'sasrec-sevo'],
        ].map(([label = '', arm]) => ({ label, curve: { arm: `${arm}/${dataset}`, metric: 'train/loss' } })),
      })),
    },
  ],
  claims: [
    {
      name: 'rescaling-needed',
      text: 'Without rescaling SASRec converges significantly slower.',
      source: 'Section 5.3',
      statements: STUDIED.map((dataset) => ({
        above: `sasrec-neumann/${dataset}`,
        below: `sasrec-sevo/${dataset}`,
        metric: 'train/loss',
      })),
    },
    {
      name: 'catches-up',
      text: 'SASRec with SEvo catches up in the final stage (here: its last loss is at most a tenth above).',
      source: 'Section 5.3',
      statements: STUDIED.map((dataset) => ({
        value: {
          parts: ['sasrec-sevo', 'sasrec'].map((arm) => ({ arm: `${arm}/${dataset}`, metric: 'train/loss' })),
          combine: ([sevo = Number.NaN, plain = Number.NaN]: readonly number[]) => sevo / plain,
          words: 'last training loss with SEvo over that without',
        },
        words: `last training loss with SEvo over that without, ${SEVO_DATASET_LABELS[dataset]}`,
        to: 1.1,
      })),
    },
  ],
};
