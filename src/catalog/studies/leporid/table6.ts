import { LEPORID_TABLE_6 } from '#src/catalog/published/leporidTables.ts';
import type { Study, StudyArm } from '../study.ts';
import {
  LEPORID_SEEDS,
  LEPORID_TOLERANCE,
  metricCells,
  metricColumns,
  RUN_DATASETS,
  type RunDatasetName,
  startArm,
} from './starts.ts';

const ROWS = [
  { name: 'generative', inference: 'generative', losses: 'generative', label: 'L_G' },
  { name: 'generative-both', inference: 'generative', losses: 'both', label: 'L_G + L_S' },
  { name: 'discriminative', inference: 'discriminative', losses: 'discriminative', label: 'L_S' },
  { name: 'discriminative-both', inference: 'discriminative', losses: 'both', label: 'L_G + L_S' },
] as const;
type Row = (typeof ROWS)[number];

const GROUPS = { generative: 'G ranks', discriminative: 'S ranks' } as const;

/** The last line is the arm of Table 3. */
function armOf({ name, inference, losses, label }: Row, dataset: RunDatasetName): StudyArm {
  const of = { model: 'dlr2', start: 'leporid', dataset } as const;
  if (name === 'discriminative-both') return startArm(of);
  const variant = {
    suffix: `-${name}`,
    label: `DLR², ${GROUPS[inference]}, ${label}`,
    parameters: { inference, losses },
  };
  return startArm({ ...of, variant });
}

/** LEPORID, Table 6: which losses DLR² is trained with. */
export const leporidTable6Study: Study = {
  name: 'leporid/table-6',
  extraDatasets: ['ml-100k'],
  title: 'DLR² with one loss and with both',
  source: 'Table 6, Section 5.5.5',
  arms: RUN_DATASETS.flatMap((dataset) => ROWS.map((row) => armOf(row, dataset))),
  seeds: LEPORID_SEEDS,
  table: {
    rows: ROWS.map(({ name, inference, label }) => ({ name, label, group: GROUPS[inference] })),
    columns: metricColumns(RUN_DATASETS),
    cells: RUN_DATASETS.flatMap((dataset) =>
      ROWS.flatMap((row) =>
        metricCells(row.name, dataset, {
          printed: dataset === 'ml-1m' ? LEPORID_TABLE_6[row.name] : null,
          measured: (metric) => ({ arm: armOf(row, dataset).name, metric: `test/${metric}` }),
        }),
      ),
    ),
    digits: 4,
    tolerance: LEPORID_TOLERANCE,
  },
  claims: [
    {
      name: 'both-losses',
      text: 'Both losses together are better than either alone, whichever network ranks.',
      source: 'Section 5.5.5',
      statements: RUN_DATASETS.flatMap((dataset) =>
        [1, 3].map((at) => ({
          above: armOf(ROWS[at]!, dataset).name,
          below: armOf(ROWS[at - 1]!, dataset).name,
          metric: 'test/f1@10',
        })),
      ),
    },
  ],
};
