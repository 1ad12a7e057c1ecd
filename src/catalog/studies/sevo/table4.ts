import { SEVO_TABLE_4 } from '#src/catalog/published/sevoTables.ts';
import type { Study, TableCell } from '../study.ts';
import { SEVO_DATASET_LABELS, SEVO_SEEDS, STUDIED, sevoArm } from './backbones.ts';

const LAYERS = [0, 1, 2, 3, 4, 5] as const;
const METRICS = ['hr@1', 'hr@10', 'ndcg@10'] as const;

const suffixOf = (layers: number): string => (layers === 3 ? '-sevo' : `-layers-${layers}`);

/** SEvo, Table 4: layers of the approximation. */
export const sevoTable4Study: Study = {
  name: 'sevo/table-4',
  title: 'Number of layers L of the approximation',
  source: 'Table 4, Section 5.4',
  notes:
    'The text at hand has lost some printed figures of L = 1 and L = 5, and runs its lines into one another; what is uncertain has no printed value. L = 3 is the arm of Table 3.',
  arms: STUDIED.flatMap((dataset) =>
    LAYERS.map((layers) =>
      sevoArm({ backbone: 'sasrec', dataset, suffix: suffixOf(layers), label: `SASRec, L = ${layers}` }),
    ),
  ),
  seeds: SEVO_SEEDS,
  table: {
    rows: LAYERS.map((layers) => ({ name: `L=${layers}`, label: `L = ${layers}` })),
    columns: STUDIED.flatMap((dataset) =>
      METRICS.map((metric) => ({
        name: `${dataset}/${metric}`,
        label: metric.toUpperCase(),
        group: SEVO_DATASET_LABELS[dataset],
      })),
    ),
    cells: STUDIED.flatMap((dataset) =>
      LAYERS.flatMap((layers) =>
        METRICS.map((metric, at): TableCell => {
          const printed = SEVO_TABLE_4[dataset][layers]?.[at] ?? null;
          return {
            row: `L=${layers}`,
            column: `${dataset}/${metric}`,
            ...(printed === null ? {} : { printed: { value: printed } }),
            value: { arm: `sasrec${suffixOf(layers)}/${dataset}`, metric: `test/${metric}` },
          };
        }),
      ),
    ),
    digits: 4,
    tolerance: { relative: 0.05 },
  },
  claims: [
    {
      name: 'peak-at-three',
      text: 'Performance reaches its peak around L = 3 and starts to decrease then.',
      source: 'Section 5.4',
      statements: STUDIED.flatMap((dataset) =>
        [0, 1, 5].map((layers) => ({
          above: `sasrec-sevo/${dataset}`,
          below: `sasrec-layers-${layers}/${dataset}`,
          metric: 'test/ndcg@10',
        })),
      ),
    },
  ],
};
