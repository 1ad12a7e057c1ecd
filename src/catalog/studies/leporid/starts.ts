import type { KindName } from '#src/catalog/kinds.ts';
import type {
  LeporidMetric,
  LeporidModel,
  LeporidScores,
  LeporidStart,
  LeporidTableDataset,
} from '#src/catalog/published/leporidTables.ts';
import { LEPORID_METRICS } from '#src/catalog/published/leporidTables.ts';
import type { StudyArm, StudyValue, TableCell, TableLine } from '../study.ts';

/** Columns of the tables, and MovieLens 100K, which the paper does not have, as what two cores can do in minutes. */
export const TABLE_DATASETS = ['ml-1m', 'steam', 'anime', 'ml-100k'] as const;
export type TableDatasetName = (typeof TABLE_DATASETS)[number];
/** Those that can be run. */
export const RUN_DATASETS = ['ml-1m', 'ml-100k'] as const;
export type RunDatasetName = (typeof RUN_DATASETS)[number];

export const DATASET_LABELS: Readonly<Record<TableDatasetName, string>> = {
  'ml-1m': 'ML-1M',
  steam: 'Steam',
  anime: 'Anime',
  'ml-100k': 'ML-100K (not in the paper)',
};

const DATA_MISSING: Readonly<Record<Exclude<TableDatasetName, RunDatasetName>, string>> = {
  steam: 'the whole Steam set of the authors (steam-leporid) has no public download',
  anime: 'the public Anime ratings have no times, so that they cannot be split by time',
};

export const START_LABELS: Readonly<Record<LeporidStart, string>> = {
  random: 'random',
  svd: 'SVD',
  bpr: 'BPR',
  netmf: 'NetMF',
  node2vec: 'node2vec',
  'graph-bert': 'Graph-Bert',
  le: 'LE',
  leporid: 'LEPORID',
};

export const MODEL_LABELS: Readonly<Record<LeporidModel, string>> = {
  ncf: 'NCF',
  ngcf: 'NGCF',
  dgcf: 'DGCF',
  hgn: 'HGN',
  dlr2: 'DLR²',
};

interface RunModel {
  kind: KindName;
  /** In the presets' names. */
  preset: string;
  parameters?: Readonly<Record<string, unknown>>;
  minutes: Readonly<Record<RunDatasetName, number>>;
}

/**
 * DLR² as its authors' program has it, embeddings z-scored and kept as they are, but for the layout: vectors in a row, as the text
 * reads, where the program's image takes 65 times the arithmetic.
 */
const RUN_MODELS: Readonly<Record<LeporidModel, RunModel>> = {
  ncf: { kind: 'ncf', preset: 'ncf', minutes: { 'ml-1m': 60, 'ml-100k': 5 } },
  ngcf: { kind: 'ngcf', preset: 'ngcf', minutes: { 'ml-1m': 300, 'ml-100k': 10 } },
  dgcf: { kind: 'dgcf', preset: 'dgcf', minutes: { 'ml-1m': 900, 'ml-100k': 30 } },
  hgn: { kind: 'hgn', preset: 'hgn', minutes: { 'ml-1m': 60, 'ml-100k': 5 } },
  dlr2: {
    kind: 'dlr2',
    preset: 'dlr2-author',
    parameters: { layout: 'sequence' },
    minutes: { 'ml-1m': 240, 'ml-100k': 20 },
  },
};

/** One epoch over a few hundred users: the order of starts early in training, no more. */
export const QUICK = { parameters: { epochs: 1 }, dataset: { maximumUsers: 300 }, minutes: 0.5 } as const;
/** The same where graphs of neighbors are built: with no more neighbors than there are users. */
export const QUICK_GRAPH = { ...QUICK, parameters: { epochs: 1, init: { neighbours: 50 } } } as const;

const HAS_GRAPH: readonly LeporidStart[] = ['netmf', 'le', 'leporid'];

export interface StartArm {
  model: LeporidModel;
  start: LeporidStart;
  dataset: RunDatasetName;
  /** Added to the arm's name, with what differs. */
  variant?: { suffix: string; label: string; parameters: Readonly<Record<string, unknown>> };
}

export const startArmName = ({ model, start, dataset, variant }: StartArm): string =>
  `${model}-${start}${variant?.suffix ?? ''}/${dataset}`;

/** A model from a start on a dataset. */
export function startArm(of: StartArm): StudyArm {
  const { kind, preset, parameters, minutes } = RUN_MODELS[of.model];
  return {
    name: startArmName(of),
    label: of.variant?.label ?? `${MODEL_LABELS[of.model]}, ${START_LABELS[of.start]}`,
    kind,
    preset: `leporid/${preset}-${of.start}-${of.dataset}`,
    parameters: { ...parameters, ...of.variant?.parameters },
    minutes: minutes[of.dataset],
    quick: HAS_GRAPH.includes(of.start) ? QUICK_GRAPH : QUICK,
  };
}

/** The arm of a model from a start, where it can be run. */
export function findStartArm(model: LeporidModel, start: LeporidStart, dataset: TableDatasetName): StudyArm | null {
  if (dataset === 'steam' || dataset === 'anime') return null;
  return startArm({ model, start, dataset });
}

/** Why nothing can be run on a dataset; null where all can. */
export const dataMissing = (dataset: TableDatasetName): string | null =>
  dataset === 'steam' || dataset === 'anime' ? DATA_MISSING[dataset] : null;

/** HR and F1 at 5 and 10 of each dataset. */
export const metricColumns = (datasets: readonly TableDatasetName[]): TableLine[] =>
  datasets.flatMap((dataset) =>
    LEPORID_METRICS.map((metric) => ({
      name: `${dataset}/${metric}`,
      label: metric.toUpperCase(),
      group: DATASET_LABELS[dataset],
    })),
  );

/** The cells of a line in the columns of a dataset. */
export function metricCells(
  row: string,
  dataset: TableDatasetName,
  {
    printed,
    measured,
  }: { printed: LeporidScores | null; measured: { notRunnable: string } | ((metric: LeporidMetric) => StudyValue) },
): TableCell[] {
  return LEPORID_METRICS.map((metric): TableCell => {
    const value = printed?.[metric] ?? null;
    return {
      row,
      column: `${dataset}/${metric}`,
      ...(value === null ? {} : { printed: { value } }),
      ...(typeof measured === 'function' ? { value: measured(metric) } : measured),
    };
  });
}

export const isPrinted = (dataset: TableDatasetName): dataset is LeporidTableDataset => dataset !== 'ml-100k';

export const LEPORID_SEEDS = { quick: [1], paper: [1, 2, 3] } as const;
export const LEPORID_TOLERANCE = { relative: 0.1 } as const;
