import { SEVO_METRICS } from '#src/catalog/published/sevoTables.ts';
import type { CombinedValue, Study, StudyArm } from '../study.ts';
import {
  type BackboneName,
  BACKBONES,
  ENHANCED_BACKBONES,
  SEVO_DATASET_NAMES,
  SEVO_SEEDS,
  type SevoDatasetName,
  sevoArm,
} from './backbones.ts';

const WAYS = [
  { suffix: '', label: 'baseline' },
  { suffix: '-uncorrected', label: 'SEvo, moments as they are' },
  { suffix: '-sevo', label: 'SEvo, moments corrected' },
] as const;
type Suffix = (typeof WAYS)[number]['suffix'];

function armOf(backbone: BackboneName, suffix: Suffix, dataset: SevoDatasetName): StudyArm {
  const label = `${BACKBONES[backbone].label}, ${WAYS.find((way) => way.suffix === suffix)!.label}`;
  const uncorrected = suffix === '-uncorrected' ? { smoothing: { momentCorrection: false } } : {};
  return sevoArm({ backbone, dataset, suffix, label, ...uncorrected });
}

/** Improvement over the baseline in percent, averaged over datasets and metrics. */
function averageImprovement(backbone: BackboneName, suffix: Suffix): CombinedValue {
  const cells = SEVO_DATASET_NAMES.flatMap((dataset) => SEVO_METRICS.map((metric) => ({ dataset, metric })));
  return {
    parts: cells.flatMap(({ dataset, metric }) =>
      [suffix, ''].map((way) => ({ arm: `${backbone}${way}/${dataset}`, metric: `test/${metric}` })),
    ),
    combine: (values) =>
      (100 * cells.reduce((sum, _, i) => sum + values[2 * i]! / values[2 * i + 1]! - 1, 0)) / cells.length,
    words: 'improvement over the baseline in percent, averaged over datasets and metrics',
  };
}

const aboveBaseline = (suffix: Suffix) =>
  ENHANCED_BACKBONES.flatMap((backbone) =>
    SEVO_DATASET_NAMES.map((dataset) => ({
      above: `${backbone}${suffix}/${dataset}`,
      below: `${backbone}/${dataset}`,
      metric: 'test/ndcg@10',
    })),
  );

/** SEvo, Figure 6: SEvo-enhanced AdamW with and without correction of the moments. */
export const sevoFigure6Study: Study = {
  name: 'sevo/figure-6',
  title: 'SEvo-enhanced AdamW with and without moment correction',
  source: 'Figure 6, Section 5.5',
  arms: SEVO_DATASET_NAMES.flatMap((dataset) =>
    ENHANCED_BACKBONES.flatMap((backbone) => WAYS.map(({ suffix }) => armOf(backbone, suffix, dataset))),
  ),
  seeds: SEVO_SEEDS,
  figures: [
    {
      name: 'average-improvement',
      title: 'Average relative improvement over the baseline',
      shows: 'Both variants are far above the baseline and about level; the correction helps GRU4Rec and STOSA.',
      panels: [
        {
          title: 'All datasets and metrics',
          form: 'bars',
          x: { label: 'backbone' },
          y: { label: '%' },
          series: WAYS.slice(1).map(({ suffix, label }) => ({
            label,
            points: ENHANCED_BACKBONES.map((backbone) => ({
              x: BACKBONES[backbone].label,
              value: averageImprovement(backbone, suffix),
            })),
          })),
        },
      ],
    },
  ],
  claims: [
    {
      name: 'both-above-baseline',
      text: 'Both variants significantly surpass the baseline.',
      source: 'Section 5.5',
      statements: [...aboveBaseline('-uncorrected'), ...aboveBaseline('-sevo')],
    },
    {
      name: 'correction-helps',
      text: 'The correction of the moments is particularly useful for GRU4Rec and STOSA.',
      source: 'Section 5.5',
      statements: (['gru4rec', 'stosa'] as const).map((backbone) => ({
        above: SEVO_DATASET_NAMES.map((dataset) => `${backbone}-sevo/${dataset}`),
        below: SEVO_DATASET_NAMES.map((dataset) => `${backbone}-uncorrected/${dataset}`),
        metric: 'test/ndcg@10',
      })),
    },
  ],
};
