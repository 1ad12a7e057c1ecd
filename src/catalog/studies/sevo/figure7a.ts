import type { Study, StudyArm } from '../study.ts';
import { SEVO_DATASET_LABELS, SEVO_SEEDS, STUDIED, sevoArm } from './backbones.ts';

type Dataset = (typeof STUDIED)[number];
const ENDS = ['first', 'last'] as const;
const ITEMS = [5, 10, 20, 50] as const;

function armOf(end: (typeof ENDS)[number], items: (typeof ITEMS)[number], dataset: Dataset): StudyArm {
  const of = { backbone: 'sasrec', dataset, suffix: `-${end}-${items}`, label: `${end} ${items} items` } as const;
  // The graph of Table 3 on Beauty is the last 50 items; other lengths of 50 have no preset.
  if (items === 50 && end === 'last' && dataset === 'beauty') return sevoArm({ ...of, suffix: '-sevo' });
  return items === 50 ? sevoArm({ ...of, smoothing: { graph: { end, items } } }) : sevoArm(of);
}

/** SEvo, Figure 7a: transitions of the first or the last K items. */
export const sevoFigure7aStudy: Study = {
  name: 'sevo/figure-7a',
  title: 'Similarity from the first or the last K items',
  source: 'Figure 7a, Section 5.6',
  notes: 'The values of K on the axis are not in the text at hand: 5, 10, 20 and 50 are ours.',
  arms: STUDIED.flatMap((dataset) => ENDS.flatMap((end) => ITEMS.map((items) => armOf(end, items, dataset)))),
  seeds: SEVO_SEEDS,
  figures: [
    {
      name: 'ndcg',
      title: 'NDCG@10 by K',
      shows: 'Recent items serve better than early ones; more of them help on Beauty, not on MovieLens-1M.',
      panels: STUDIED.map((dataset) => ({
        title: SEVO_DATASET_LABELS[dataset],
        form: 'line' as const,
        x: { label: 'items K' },
        y: { label: 'NDCG@10' },
        series: ENDS.map((end) => ({
          label: end,
          points: ITEMS.map((items) => ({
            x: items,
            value: { arm: armOf(end, items, dataset).name, metric: 'test/ndcg@10' },
          })),
        })),
      })),
    },
  ],
  claims: [
    {
      name: 'recent-above-early',
      text: 'Recent interactions imply more precise relations than early ones, even for small K.',
      source: 'Section 5.6',
      statements: STUDIED.flatMap((dataset) =>
        ([5, 10, 20] as const).map((items) => ({
          above: armOf('last', items, dataset).name,
          below: armOf('first', items, dataset).name,
          metric: 'test/ndcg@10',
        })),
      ),
    },
    {
      name: 'longer-helps-beauty',
      text: 'On Beauty performance increases steadily with the length.',
      source: 'Section 5.6',
      statements: ([10, 20, 50] as const).map((items, i) => ({
        above: armOf('last', items, 'beauty').name,
        below: armOf('last', ITEMS[i]!, 'beauty').name,
        metric: 'test/ndcg@10',
      })),
    },
  ],
};
