import {
  SEVO_METRICS,
  SEVO_TABLE_3_AVERAGES,
  SEVO_TABLE_3_METHODS,
  SEVO_TABLE_3_TESTS,
  type SevoMetric,
  type SevoTable3Method,
  sevoTable3,
} from '#src/catalog/published/sevoTables.ts';
import { GRAPH_MODELS } from '#src/catalog/presets/sevoPresets.ts';
import type { CombinedValue, Study, StudyArm, StudyClaim, TableCell } from '../study.ts';
import {
  type BackboneName,
  BACKBONES,
  ENHANCED_BACKBONES,
  SEVO_DATASET_LABELS,
  SEVO_DATASET_NAMES,
  SEVO_SEEDS,
  type SevoDatasetName,
  sevoArm,
} from './backbones.ts';

interface Column {
  label: string;
  group: string;
  backbone: BackboneName;
  /** End of the preset's name. */
  suffix: string;
}

const GNN = 'GNN-based';
const SEQUENCE = 'MF or RNN/Transformer-based';

function columnOf(method: SevoTable3Method): Column {
  const graph = GRAPH_MODELS.find((name) => name === method);
  if (graph !== undefined) return { label: BACKBONES[graph].label, group: GNN, backbone: graph, suffix: '' };
  const backbone = ENHANCED_BACKBONES.find((name) => method === name || method.startsWith(`${name}-sevo`))!;
  const suffix = method.slice(backbone.length);
  const { label } = BACKBONES[backbone];
  const smoothed = suffix === '-sevo-users' ? ' + SEvo (U-I)' : ' + SEvo (I-I)';
  return { label: suffix === '' ? label : `${label}${smoothed}`, group: SEQUENCE, backbone, suffix };
}

const isEnhanced = (method: SevoTable3Method): boolean => method.includes('-sevo');

function armOf(method: SevoTable3Method, dataset: SevoDatasetName): StudyArm {
  const { label, backbone, suffix } = columnOf(method);
  return sevoArm({ backbone, suffix, dataset, label });
}

const nameOf = (method: SevoTable3Method, dataset: SevoDatasetName): string => `${method}/${dataset}`;

/** The highest printed value among enhanced methods, or among those without SEvo. */
function bestOf(dataset: SevoDatasetName, metric: SevoMetric, enhanced: boolean): SevoTable3Method {
  const among = SEVO_TABLE_3_METHODS.filter((method) => isEnhanced(method) === enhanced);
  const printedOf = (method: SevoTable3Method): number => sevoTable3(dataset, method)[metric];
  return among.reduce((a, b) => (printedOf(b) > printedOf(a) ? b : a));
}

/** The last two columns: the best enhanced method of the paper against its best baseline. */
function testCells(dataset: SevoDatasetName, metric: SevoMetric): TableCell[] {
  const row = `${dataset}/${metric}`;
  const [above, below] = [bestOf(dataset, metric, true), bestOf(dataset, metric, false)];
  const { improvement, pValue } = SEVO_TABLE_3_TESTS[dataset][SEVO_METRICS.indexOf(metric)]!;
  const shown = { row, column: 'improvement', printed: { value: improvement }, digits: 1, tolerance: { absolute: 3 } };
  const tested = { row, column: 'p', printed: { value: pValue, n: 5 }, digits: 6, tolerance: { sameSideOf: 0.05 } };
  const [upper, lower] = [nameOf(above, dataset), nameOf(below, dataset)];
  return [
    { ...shown, value: improvementOf([[upper, lower, metric]]), scale: 100 },
    {
      ...tested,
      value: { test: 'paired-two-sided', comparison: { above: upper, below: lower, metric: `test/${metric}` } },
    },
  ];
}

/** The mean of above / below - 1 over pairs of arms. */
function improvementOf(pairs: readonly (readonly [above: string, below: string, metric: SevoMetric])[]): CombinedValue {
  return {
    parts: pairs.flatMap(([above, below, metric]) => [
      { arm: above, metric: `test/${metric}` },
      { arm: below, metric: `test/${metric}` },
    ]),
    combine: (values) => pairs.reduce((sum, _, i) => sum + values[2 * i]! / values[2 * i + 1]! - 1, 0) / pairs.length,
    words: pairs.length === 1 ? 'relative improvement' : `relative improvement, averaged over ${pairs.length} cells`,
  };
}

/** The last line: each enhanced backbone against itself, over all datasets and metrics. */
const AVERAGE_CELLS: readonly TableCell[] = Object.entries(SEVO_TABLE_3_AVERAGES).map(([column, value]) => ({
  row: 'average',
  column,
  printed: { value },
  value: improvementOf(
    SEVO_DATASET_NAMES.flatMap((dataset) =>
      SEVO_METRICS.map(
        (metric) => [`${column}/${dataset}`, `${column.replace(/-sevo.*/, '')}/${dataset}`, metric] as const,
      ),
    ),
  ),
  scale: 100,
  digits: 1,
  tolerance: { absolute: 3 },
}));

function cellsOf(dataset: SevoDatasetName, metric: SevoMetric): TableCell[] {
  const row = `${dataset}/${metric}`;
  const methods = SEVO_TABLE_3_METHODS.map((method): TableCell => {
    const value = { arm: nameOf(method, dataset), metric: `test/${metric}` };
    const { printed } = armOf(method, dataset);
    return { row, column: method, value, ...(printed && { printed: printed.byMetric[value.metric]! }) };
  });
  return [...methods, ...testCells(dataset, metric)];
}

const raises = (backbone: BackboneName): StudyClaim => ({
  name: `raises-${backbone}`,
  text: `SEvo-enhanced AdamW raises NDCG@10 of ${BACKBONES[backbone].label} on every dataset.`,
  source: 'Section 5.2, Table 3',
  statements: SEVO_DATASET_NAMES.map((dataset) => ({
    above: `${backbone}-sevo/${dataset}`,
    below: `${backbone}/${dataset}`,
    metric: 'test/ndcg@10',
  })),
});

/** SEvo, Table 3: five backbones without and with SEvo, and graph networks beside them, on four datasets. */
export const sevoTable3Study: Study = {
  name: 'sevo/table-3',
  title: 'Overall comparison: backbones without and with SEvo on four datasets',
  source: 'Table 3, Section 5.2',
  notes:
    'Seen items are left out of the ranking; the parameters of the best validation NDCG@10 are tested. Settings are those of the authors’ logs: β of MF-BPR differs by dataset (errata 22). The last two columns compare the best enhanced method with the best baseline of the printed table.',
  arms: SEVO_TABLE_3_METHODS.flatMap((method) => SEVO_DATASET_NAMES.map((dataset) => armOf(method, dataset))),
  seeds: SEVO_SEEDS,
  table: {
    rows: [
      ...SEVO_DATASET_NAMES.flatMap((dataset) =>
        SEVO_METRICS.map((metric) => ({
          name: `${dataset}/${metric}`,
          label: metric.toUpperCase(),
          group: SEVO_DATASET_LABELS[dataset],
        })),
      ),
      { name: 'average', label: 'Avg. Improv., %' },
    ],
    columns: [
      ...SEVO_TABLE_3_METHODS.map((method) => {
        const { label, group } = columnOf(method);
        return { name: method, label, group };
      }),
      { name: 'improvement', label: '▲%' },
      { name: 'p', label: 'p-value' },
    ],
    cells: [
      ...SEVO_DATASET_NAMES.flatMap((dataset) => SEVO_METRICS.flatMap((metric) => cellsOf(dataset, metric))),
      ...AVERAGE_CELLS,
    ],
    digits: 4,
    tolerance: { relative: 0.05 },
  },
  claims: [
    ...ENHANCED_BACKBONES.map(raises),
    {
      name: 'items-above-users',
      text: 'For MF-BPR the graph of transitions (I-I) is slightly better than that of users and items (U-I) (here: by at most 10 %).',
      source: 'Section 5.2',
      statements: SEVO_DATASET_NAMES.map((dataset) => ({
        above: `mf-bpr-sevo/${dataset}`,
        below: `mf-bpr-sevo-users/${dataset}`,
        metric: 'test/ndcg@10',
        size: { to: 0.1, words: 'slightly' },
      })),
    },
    {
      name: 'transformers-above-graphs',
      text: 'SASRec, BERT4Rec and STOSA are above LightGCN, SR-GNN and LESSR.',
      source: 'Section 5.2',
      statements: SEVO_DATASET_NAMES.flatMap((dataset) =>
        (['sasrec', 'bert4rec', 'stosa'] as const).flatMap((backbone) =>
          (['lightgcn', 'sr-gnn', 'lessr'] as const).map((graph) => ({
            above: `${backbone}/${dataset}`,
            below: `${graph}/${dataset}`,
            metric: 'test/ndcg@10',
          })),
        ),
      ),
    },
    {
      name: 'above-maerec',
      text: 'SASRec with SEvo outperforms MAERec, which has the same backbone.',
      source: 'Section 5.2',
      statements: SEVO_DATASET_NAMES.map((dataset) => ({
        above: `sasrec-sevo/${dataset}`,
        below: `maerec/${dataset}`,
        metric: 'test/ndcg@10',
      })),
    },
  ],
};
