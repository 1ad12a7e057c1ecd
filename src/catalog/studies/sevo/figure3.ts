import { GRAPH_MODELS, SEVO_DATASETS } from '#src/catalog/presets/sevoPresets.ts';
import type { Study, StudyArm } from '../study.ts';
import {
  type BackboneName,
  BACKBONES,
  ENHANCED_BACKBONES,
  SEVO_DATASET_LABELS,
  SEVO_DATASET_NAMES,
  type SevoDatasetName,
} from './backbones.ts';

const TIMED: readonly BackboneName[] = [...GRAPH_MODELS, ...ENHANCED_BACKBONES];
/** Minutes of a run on two cores, on MovieLens and on the other sets, where it is not 30 and 3. */
const SLOW: Readonly<Partial<Record<BackboneName, readonly [films: number, others: number]>>> = {
  'sr-gnn': [180, 4],
  lessr: [600, 12],
  maerec: [25, 15],
};
const PHASES = [
  { phase: 'train', metric: 'time/epoch', label: 'training, an epoch' },
  { phase: 'rank', metric: 'time/rank', label: 'inference, all users' },
] as const;

const nameOf = (backbone: BackboneName, dataset: SevoDatasetName): string => `${backbone}/${dataset}`;

/** Both ways of a backbone are timed in turns by one run, on one machine; backbones are runs of their own. */
function armOf(backbone: BackboneName, dataset: SevoDatasetName): StudyArm {
  const { dataset: name } = SEVO_DATASETS.find((one) => one.name === dataset)!;
  return {
    name: nameOf(backbone, dataset),
    label: BACKBONES[backbone].label,
    kind: 'sevo-efficiency',
    preset: `sevo/figure-3-${dataset}`,
    dataset: name,
    parameters: { backbone },
    minutes: (SLOW[backbone] ?? [30, 3])[dataset === 'ml-1m' ? 0 : 1],
    quick: {
      parameters: { epochs: 1, turns: 1 },
      dataset: { maximumUsers: dataset === 'ml-1m' ? 300 : 2000 },
      minutes: backbone in SLOW ? 1 : 0.3,
    },
  };
}

/** SEvo, Figure 3: what smoothing costs in training, and nothing in inference. */
export const sevoFigure3Study: Study = {
  name: 'sevo/figure-3',
  title: 'Time of training and inference without and with SEvo',
  source: 'Figure 3, Section 5.2',
  notes:
    'Seconds are those of the machine at hand; the paper has a GTX 1080Ti. A run times a backbone without and with SEvo in turns, so that what slows the machine for a while meets both.',
  arms: SEVO_DATASET_NAMES.flatMap((dataset) => TIMED.map((backbone) => armOf(backbone, dataset))),
  seeds: { quick: [1], paper: [1, 2, 3] },
  figures: PHASES.map(({ phase, metric, label }) => ({
    name: phase,
    title: `Seconds: ${label}`,
    shows:
      'Models with a graph inside are the slow ones; the bars of a backbone without and with SEvo are nearly level.',
    panels: SEVO_DATASET_NAMES.map((dataset) => ({
      title: SEVO_DATASET_LABELS[dataset],
      form: 'bars' as const,
      x: { label: '' },
      y: { label: 'seconds', logarithmic: true },
      series: (['plain', 'sevo'] as const).map((way) => ({
        label: way === 'plain' ? 'without SEvo' : 'with SEvo',
        points: (way === 'plain' ? TIMED : ENHANCED_BACKBONES).map((backbone) => ({
          x: BACKBONES[backbone].label,
          value: { arm: nameOf(backbone, dataset), metric: `${way}/${metric}`, take: 'lowest' as const },
        })),
      })),
    })),
  })),
  claims: [
    {
      name: 'graphs-are-slow',
      text: 'SR-GNN and LESSR require heavy computational overhead in training and inference (here: more than twice the seconds of SASRec).',
      source: 'Section 5.2',
      statements: SEVO_DATASET_NAMES.flatMap((dataset) =>
        (['sr-gnn', 'lessr'] as const).flatMap((model) =>
          PHASES.map(({ metric, label }) => ({
            value: {
              parts: [model, 'sasrec' as const].map((backbone) => ({
                arm: nameOf(backbone, dataset),
                metric: `plain/${metric}`,
                take: 'lowest' as const,
              })),
              combine: ([own = Number.NaN, sasRec = Number.NaN]: readonly number[]) => own / sasRec,
              words: `${label}: seconds over those of SASRec`,
            },
            words: `${label} of ${BACKBONES[model].label} over that of SASRec, ${SEVO_DATASET_LABELS[dataset]}`,
            from: 2,
          })),
        ),
      ),
    },
    {
      name: 'inference-alike',
      text: 'SEvo does not change the inference of a model: its time is the same (here: within 15 %).',
      source: 'Section 5.2',
      statements: SEVO_DATASET_NAMES.flatMap((dataset) =>
        ENHANCED_BACKBONES.map((backbone) => ({
          value: { arm: nameOf(backbone, dataset), metric: 'time-ratio/rank' },
          words: `inference of ${BACKBONES[backbone].label} with SEvo over that without, ${SEVO_DATASET_LABELS[dataset]}`,
          from: 0.85,
          to: 1.15,
        })),
      ),
    },
    {
      name: 'training-overhead',
      text: 'The overhead of SEvo in training is negligible (here: at most a tenth more for sequence models).',
      source: 'Section 5.2',
      statements: SEVO_DATASET_NAMES.flatMap((dataset) =>
        ENHANCED_BACKBONES.filter((backbone) => backbone !== 'mf-bpr').map((backbone) => ({
          value: { arm: nameOf(backbone, dataset), metric: 'time-ratio/train' },
          words: `an epoch of ${BACKBONES[backbone].label} with SEvo over one without, ${SEVO_DATASET_LABELS[dataset]}`,
          to: 1.1,
        })),
      ),
    },
  ],
};
