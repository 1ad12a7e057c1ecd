import type { KindName } from '#src/catalog/kinds.ts';
import {
  LEPORID_TABLE_4_METHODS,
  type LeporidModel,
  type LeporidTable4Method,
  leporidTable4,
} from '#src/catalog/published/leporidTables.ts';
import type { Study, StudyArm, StudyComparison, TableCell } from '../study.ts';
import {
  dataMissing,
  findStartArm,
  isPrinted,
  LEPORID_SEEDS,
  LEPORID_TOLERANCE,
  metricCells,
  metricColumns,
  QUICK,
  QUICK_GRAPH,
  RUN_DATASETS,
  type RunDatasetName,
  TABLE_DATASETS,
  type TableDatasetName,
} from './starts.ts';

interface Method {
  label: string;
  start?: string;
  /** The arm; or why there is none. */
  arm: ((dataset: RunDatasetName) => StudyArm) | string;
}

const traditional = (kind: KindName, preset: string, label: string): Method => ({
  label,
  arm: (dataset) => ({
    name: `${preset}/${dataset}`,
    label,
    kind,
    preset: `leporid/${preset}-${dataset}`,
    deterministic: true,
    minutes: dataset === 'ml-1m' ? 2 : 0.2,
  }),
});

/** BPR alone, drawn or started from LEPORID. */
const factorised = (start: 'random' | 'leporid'): Method => ({
  label: 'BPR',
  start: start === 'random' ? 'random' : 'LEPORID',
  arm: (dataset) => ({
    name: `bpr-${start}/${dataset}`,
    label: `BPR, ${start}`,
    kind: 'mf-bpr',
    preset: `leporid/mf-bpr-${dataset}`,
    ...(start === 'random'
      ? {}
      : { parameters: { init: { method: 'leporid', neighbours: dataset === 'ml-1m' ? 1000 : 200 } } }),
    minutes: dataset === 'ml-1m' ? 15 : 1,
    quick: start === 'random' ? QUICK : QUICK_GRAPH,
  }),
});

const started = (model: LeporidModel, start: 'le' | 'leporid', label: string): Method => ({
  label,
  start: start === 'le' ? 'LE' : 'LEPORID',
  arm: (dataset) => findStartArm(model, start, dataset)!,
});

const METHODS: Readonly<Record<LeporidTable4Method, Method>> = {
  toppop: traditional('popularity', 'toppop', 'TopPop'),
  'user-knn': traditional('user-knn', 'user-knn', 'UserKNN'),
  'item-knn': traditional('item-knn', 'item-knn', 'ItemKNN'),
  slim: traditional('slim', 'slim', 'SLIM'),
  'bpr-random': factorised('random'),
  'bpr-leporid': factorised('leporid'),
  'ncf-leporid': started('ncf', 'leporid', 'NCF'),
  'ngcf-leporid': started('ngcf', 'leporid', 'NGCF'),
  'dgcf-leporid': started('dgcf', 'leporid', 'DGCF'),
  'hgn-leporid': started('hgn', 'leporid', 'HGN'),
  'dlr2-le': started('dlr2', 'le', 'DLR²'),
  'dlr2-leporid': started('dlr2', 'leporid', 'DLR²'),
};

function cellsOf(method: LeporidTable4Method, dataset: TableDatasetName): TableCell[] {
  const { arm } = METHODS[method];
  const missing = typeof arm === 'string' ? arm : dataMissing(dataset);
  return metricCells(method, dataset, {
    printed: isPrinted(dataset) ? leporidTable4(method, dataset) : null,
    measured:
      missing === null
        ? (metric) => ({ arm: `${method}/${dataset}`, metric: `test/${metric}` })
        : { notRunnable: missing },
  });
}

const above = (method: LeporidTable4Method, others: readonly LeporidTable4Method[]): StudyComparison[] =>
  RUN_DATASETS.flatMap((dataset) =>
    others.map((other) => ({
      above: `${method}/${dataset}`,
      below: `${other}/${dataset}`,
      metric: 'test/f1@10',
    })),
  );

/** LEPORID, Table 4: recommenders of all sorts. */
export const leporidTable4Study: Study = {
  name: 'leporid/table-4',
  extraDatasets: ['ml-100k'],
  title: 'Recommenders of all sorts beside DLR² from LEPORID',
  source: 'Table 4, Section 5.5.2',
  notes: 'ML-1M is the 20-core counted once, as in the paper’s Table 2. The columns of ML-100K are ours.',
  arms: RUN_DATASETS.flatMap((dataset) =>
    LEPORID_TABLE_4_METHODS.flatMap((method) => {
      const { arm } = METHODS[method];
      return typeof arm === 'string' ? [] : [arm(dataset)];
    }),
  ),
  seeds: LEPORID_SEEDS,
  table: {
    rows: LEPORID_TABLE_4_METHODS.map((name) => {
      const { label, start } = METHODS[name];
      return { name, label: start === undefined ? label : `${label}, ${start}` };
    }),
    columns: metricColumns(TABLE_DATASETS),
    cells: LEPORID_TABLE_4_METHODS.flatMap((method) => TABLE_DATASETS.flatMap((dataset) => cellsOf(method, dataset))),
    digits: 4,
    tolerance: LEPORID_TOLERANCE,
  },
  claims: [
    {
      name: 'neighbors-competitive',
      text: 'Among traditional methods UserKNN and ItemKNN are the best (here: above TopPop and BPR).',
      source: 'Section 5.5.2',
      statements: [...above('user-knn', ['toppop', 'bpr-random']), ...above('item-knn', ['toppop', 'bpr-random'])],
    },
    {
      name: 'hgn-above-neighbors',
      text: 'On ML-1M, recommenders that start from LEPORID outperform the KNN methods (HGN is the best of them).',
      source: 'Section 5.5.2',
      statements: above('hgn-leporid', ['user-knn', 'item-knn']),
    },
    {
      name: 'dlr2-best',
      text: 'DLR² from LEPORID outperforms all others.',
      source: 'Section 5.5.2',
      statements: above('dlr2-leporid', ['user-knn', 'item-knn', 'slim', 'hgn-leporid', 'dlr2-le']),
    },
  ],
};
