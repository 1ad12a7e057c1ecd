import type { Study } from '../study.ts';
import { SEVO_DATASET_LABELS, SEVO_SEEDS, STUDIED, sevoArm } from './backbones.ts';

const LENGTHS = [1, 2, 3, 5] as const;
const WEIGHTINGS = ['frequency', 'distance'] as const;
type Weighting = (typeof WEIGHTINGS)[number];

/** Paths of one step weigh alike in both. */
const suffixOf = (length: number, weighting: Weighting): string =>
  length === 1 ? '-sevo' : `-path-${length}-${weighting}`;

/** SEvo, Figure 7b: pairs up to H items apart, by frequency or by distance. */
export const sevoFigure7bStudy: Study = {
  name: 'sevo/figure-7b',
  title: 'Similarity from pairs up to H items apart',
  source: 'Figure 7b, Section 5.6',
  notes: 'The values of H on the axis are not in the text at hand: 1, 2, 3 and 5 are ours.',
  arms: STUDIED.flatMap((dataset) => [
    sevoArm({ backbone: 'sasrec', dataset, suffix: '-sevo', label: 'H = 1' }),
    ...WEIGHTINGS.flatMap((weighting) =>
      LENGTHS.slice(1).map((length) =>
        sevoArm({
          backbone: 'sasrec',
          dataset,
          suffix: suffixOf(length, weighting),
          label: `H = ${length} by ${weighting}`,
        }),
      ),
    ),
  ]),
  seeds: SEVO_SEEDS,
  figures: [
    {
      name: 'ndcg',
      title: 'NDCG@10 by H',
      shows: 'Pairs further apart are less reliable; weights that fall with the distance stay steadier as H grows.',
      panels: STUDIED.map((dataset) => ({
        title: SEVO_DATASET_LABELS[dataset],
        form: 'line' as const,
        x: { label: 'path length H' },
        y: { label: 'NDCG@10' },
        series: WEIGHTINGS.map((weighting) => ({
          label: weighting,
          points: LENGTHS.map((length) => ({
            x: length,
            value: { arm: `sasrec${suffixOf(length, weighting)}/${dataset}`, metric: 'test/ndcg@10' },
          })),
        })),
      })),
    },
  ],
  claims: [
    {
      name: 'distance-steadier',
      text: 'Weights by distance are steadier than those by frequency as H grows (here: better at H = 5).',
      source: 'Section 5.6',
      statements: STUDIED.map((dataset) => ({
        above: `sasrec-path-5-distance/${dataset}`,
        below: `sasrec-path-5-frequency/${dataset}`,
        metric: 'test/ndcg@10',
      })),
    },
  ],
};
