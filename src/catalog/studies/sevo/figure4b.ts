import type { Study } from '../study.ts';
import { SEVO_DATASET_LABELS, STUDIED, sevoArm } from './backbones.ts';

const BETAS = [
  { beta: 0, suffix: '-beta-0' },
  { beta: 0.5, suffix: '-beta-0-5' },
  { beta: 0.9, suffix: '-beta-0-9' },
  { beta: 0.99, suffix: '-sevo' },
  { beta: 0.999, suffix: '-beta-0-999' },
] as const;

const MEASURES = [
  { metric: 'smoothness/variation', title: '(I) the original variation' },
  { metric: 'smoothness/smoothed', title: '(II) the smoothed variation' },
  { metric: 'smoothness/embedding', title: '(III) the optimized embedding' },
] as const;

/** Each β is less smooth, a larger number, than the next. */
const descends = (metric: string) =>
  STUDIED.flatMap((dataset) =>
    BETAS.slice(1).map(({ suffix }, i) => ({
      above: `sasrec${BETAS[i]!.suffix}/${dataset}`,
      below: `sasrec${suffix}/${dataset}`,
      metric,
    })),
  );

/** SEvo, Figure 4b: smoothness over the graph, through training, for several β. */
export const sevoFigure4bStudy: Study = {
  name: 'sevo/figure-4b',
  title: 'Smoothness of the variation and of the embeddings over β',
  source: 'Figure 4b, Section 5.3',
  notes: 'Smoothness is the trace Tr(Xᵀ(I - Ã)X) of Eq. 1; lower is smoother (errata 21).',
  arms: STUDIED.flatMap((dataset) =>
    BETAS.map(({ beta, suffix }) => sevoArm({ backbone: 'sasrec', dataset, suffix, label: `β = ${beta}` })),
  ),
  seeds: { quick: [1], paper: [1, 2, 3] },
  figures: MEASURES.map(({ metric, title }) => ({
    name: metric.replace('/', '-'),
    title: `Smoothness of ${title}`,
    shows:
      'The original variations are about equally smooth; the transformed ones, and with them the embeddings, are smoother the larger β is.',
    panels: STUDIED.map((dataset) => ({
      title: SEVO_DATASET_LABELS[dataset],
      form: 'line' as const,
      x: { label: 'epoch' },
      y: { label: 'smoothness', logarithmic: true },
      series: BETAS.map(({ beta, suffix }) => ({
        label: `β = ${beta}`,
        curve: { arm: `sasrec${suffix}/${dataset}`, metric },
      })),
    })),
  })),
  claims: [
    {
      name: 'variation-smoother',
      text: 'After the transformation the variation is the smoother, the larger β is.',
      source: 'Section 5.3',
      statements: descends('smoothness/smoothed'),
    },
    {
      name: 'embedding-smoother',
      text: 'The embedding trained with a larger β is smoother as well.',
      source: 'Section 5.3',
      statements: descends('smoothness/embedding'),
    },
  ],
};
