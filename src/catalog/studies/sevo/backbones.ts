import type { KindName } from '#src/catalog/kinds.ts';
import { sevoSpread } from '#src/catalog/published/sevoSpreads.ts';
import { SEVO_METRICS, SEVO_TABLE_3_METHODS, sevoTable3 } from '#src/catalog/published/sevoTables.ts';
import { ENHANCED_MODELS, SEVO_DATASETS, type SevoDataset } from '#src/catalog/presets/sevoPresets.ts';
import type { ArmShortening, StudyArm } from '../study.ts';

export type SevoDatasetName = SevoDataset['name'];
export const SEVO_DATASET_NAMES: readonly SevoDatasetName[] = SEVO_DATASETS.map(({ name }) => name);

/** The two that Sections 5.3 to 5.6 study. */
export const STUDIED: readonly ('beauty' | 'ml-1m')[] = ['beauty', 'ml-1m'];

export const SEVO_DATASET_LABELS: Readonly<Record<SevoDatasetName, string>> = {
  beauty: 'Beauty',
  toys: 'Toys',
  tools: 'Tools',
  'ml-1m': 'MovieLens-1M',
};

interface BackboneArms {
  label: string;
  kind: KindName;
  /** About how many minutes its training takes on two cores with the authors' epochs. */
  minutes: Readonly<Record<SevoDatasetName, number>>;
  /** Epochs of the quick budget. */
  quickEpochs: number;
}

/** Backbones that Warren has, in the order of Table 3's columns. */
export const BACKBONES = {
  lightgcn: {
    label: 'LightGCN',
    kind: 'lightgcn',
    minutes: { beauty: 60, toys: 60, tools: 60, 'ml-1m': 600 },
    quickEpochs: 20,
  },
  'sr-gnn': {
    label: 'SR-GNN',
    kind: 'sr-gnn',
    minutes: { beauty: 60, toys: 50, tools: 45, 'ml-1m': 3000 },
    quickEpochs: 10,
  },
  lessr: {
    label: 'LESSR',
    kind: 'lessr',
    minutes: { beauty: 200, toys: 170, tools: 150, 'ml-1m': 10_000 },
    quickEpochs: 10,
  },
  maerec: {
    label: 'MAERec',
    kind: 'maerec',
    minutes: { beauty: 500, toys: 450, tools: 400, 'ml-1m': 700 },
    quickEpochs: 5,
  },
  'mf-bpr': {
    label: 'MF-BPR',
    kind: 'mf-bpr',
    minutes: { beauty: 40, toys: 35, tools: 30, 'ml-1m': 200 },
    quickEpochs: 40,
  },
  gru4rec: {
    label: 'GRU4Rec',
    kind: 'gru4rec',
    minutes: { beauty: 60, toys: 50, tools: 45, 'ml-1m': 3000 },
    quickEpochs: 10,
  },
  sasrec: { label: 'SASRec', kind: 'sasrec', minutes: { beauty: 5, toys: 5, tools: 5, 'ml-1m': 90 }, quickEpochs: 20 },
  bert4rec: {
    label: 'BERT4Rec',
    kind: 'bert4rec',
    minutes: { beauty: 180, toys: 150, tools: 120, 'ml-1m': 400 },
    quickEpochs: 10,
  },
  stosa: {
    label: 'STOSA',
    kind: 'stosa',
    minutes: { beauty: 300, toys: 250, tools: 200, 'ml-1m': 900 },
    quickEpochs: 10,
  },
} as const satisfies Readonly<Record<string, BackboneArms>>;
export type BackboneName = keyof typeof BACKBONES;

/** Backbones that SEvo enhances. */
export const ENHANCED_BACKBONES: readonly BackboneName[] = ENHANCED_MODELS;

/** Few users and epochs: seconds, and far from what training comes to. */
function shortened(backbone: BackboneName, dataset: SevoDatasetName): ArmShortening {
  return {
    parameters: { epochs: dataset === 'ml-1m' ? 5 : BACKBONES[backbone].quickEpochs },
    dataset: { maximumUsers: dataset === 'ml-1m' ? 300 : 2000 },
    minutes: 0.3,
  };
}

export interface SevoArm {
  backbone: BackboneName;
  dataset: SevoDatasetName;
  /** End of the preset's name, `-sevo` or `-layers-2`; empty without SEvo. */
  suffix: string;
  /** As the paper calls it. */
  label: string;
  /** What differs from `-sevo` in `optimizer.smoothing`, where no preset has it; then `suffix` only names the arm. */
  smoothing?: Readonly<Record<string, unknown>>;
}

/** An arm named `BACKBONE[SUFFIX]/DATASET`, with the preset of the same name. */
export function sevoArm({ backbone, dataset, suffix, label, smoothing }: SevoArm): StudyArm {
  const preset = `sevo/${backbone}-${dataset}${smoothing === undefined ? suffix : '-sevo'}`;
  return {
    name: `${backbone}${suffix}/${dataset}`,
    label,
    kind: BACKBONES[backbone].kind,
    preset,
    ...(smoothing === undefined ? {} : { parameters: { optimizer: { smoothing } } }),
    minutes: BACKBONES[backbone].minutes[dataset],
    quick: shortened(backbone, dataset),
    ...printedOf(`${backbone}${suffix}`, dataset),
  };
}

/** What Table 3 prints of an arm, if it has it. */
function printedOf(name: string, dataset: SevoDatasetName): Pick<StudyArm, 'printed'> {
  const method = SEVO_TABLE_3_METHODS.find((one) => one === name);
  if (method === undefined) return {};
  const byMetric = Object.fromEntries(
    SEVO_METRICS.map((metric) => {
      const spread = sevoSpread(dataset, { method, metric });
      return [`test/${metric}`, { value: sevoTable3(dataset, method)[metric], n: 5, ...(spread && { spread }) }];
    }),
  );
  return { printed: { digits: 4, tolerance: { relative: 0.05 }, byMetric } };
}

/** SASRec, the default backbone of Sections 5.3 to 5.6, without SEvo and with it as in Table 3. */
export function sasRecPair(dataset: SevoDatasetName): { plain: StudyArm; sevo: StudyArm } {
  return {
    plain: sevoArm({ backbone: 'sasrec', dataset, suffix: '', label: 'without SEvo' }),
    sevo: sevoArm({ backbone: 'sasrec', dataset, suffix: '-sevo', label: 'SEvo' }),
  };
}

/** One run a seed: five in the paper. */
export const SEVO_SEEDS = { quick: [1], paper: [1, 2, 3, 4, 5] } as const;
