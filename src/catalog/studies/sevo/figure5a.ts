import type { Study } from '../study.ts';
import { SEVO_DATASET_LABELS, SEVO_SEEDS, STUDIED, sasRecPair, sevoArm } from './backbones.ts';

const METHODS = [
  { label: 'SGD', plain: '-sgd', sevo: '-sgd-sevo' },
  { label: 'Adam', plain: '-adam', sevo: '-adam-sevo' },
  { label: 'AdamW', plain: '', sevo: '-sevo' },
] as const;

/** SEvo, Figure 5a: SGD with momentum, Adam and AdamW, each without and with SEvo. */
export const sevoFigure5aStudy: Study = {
  name: 'sevo/figure-5a',
  title: 'SEvo with SGD, Adam and AdamW',
  source: 'Figure 5a, Section 5.4',
  notes: 'The paper tunes each method for itself and prints no settings; those of SGD and Adam are our own.',
  arms: STUDIED.flatMap((dataset) => [
    ...METHODS.slice(0, 2).flatMap(({ label, plain, sevo }) => [
      sevoArm({ backbone: 'sasrec', dataset, suffix: plain, label }),
      sevoArm({ backbone: 'sasrec', dataset, suffix: sevo, label: `${label} with SEvo` }),
    ]),
    ...Object.values(sasRecPair(dataset)),
  ]),
  seeds: SEVO_SEEDS,
  figures: [
    {
      name: 'ndcg',
      title: 'NDCG@10 by optimizer',
      shows: 'Every optimizer gains by SEvo, on both datasets.',
      panels: STUDIED.map((dataset) => ({
        title: SEVO_DATASET_LABELS[dataset],
        form: 'bars' as const,
        x: { label: 'optimizer' },
        y: { label: 'NDCG@10' },
        series: (['plain', 'sevo'] as const).map((way) => ({
          label: way === 'plain' ? 'without SEvo' : 'with SEvo',
          points: METHODS.map((method) => ({
            x: method.label,
            value: { arm: `sasrec${method[way]}/${dataset}`, metric: 'test/ndcg@10' },
          })),
        })),
      })),
    },
  ],
  claims: [
    {
      name: 'every-optimizer',
      text: 'SEvo-enhanced optimizers enjoy superior performance on both datasets.',
      source: 'Section 5.4',
      statements: STUDIED.flatMap((dataset) =>
        METHODS.map(({ plain, sevo }) => ({
          above: `sasrec${sevo}/${dataset}`,
          below: `sasrec${plain}/${dataset}`,
          metric: 'test/ndcg@10',
        })),
      ),
    },
  ],
};
