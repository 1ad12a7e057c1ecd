import { LEPORID_TABLE_5_STARTS, leporidTable5 } from '#src/catalog/published/leporidTables.ts';
import type { Study } from '../study.ts';
import {
  dataMissing,
  isPrinted,
  LEPORID_SEEDS,
  LEPORID_TOLERANCE,
  metricCells,
  metricColumns,
  RUN_DATASETS,
  START_LABELS,
  startArm,
  TABLE_DATASETS,
} from './starts.ts';

/** LEPORID, Table 5: DLR² on the quarter of users with the fewest interactions. */
export const leporidTable5Study: Study = {
  name: 'leporid/table-5',
  extraDatasets: ['ml-100k'],
  title: 'DLR² on tail users, by start',
  source: 'Table 5, Section 5.5.3',
  notes: 'The runs are those of Table 3; every recommender reports its tail users. The paper has datasets as rows.',
  arms: RUN_DATASETS.flatMap((dataset) =>
    LEPORID_TABLE_5_STARTS.map((start) => startArm({ model: 'dlr2', start, dataset })),
  ),
  seeds: LEPORID_SEEDS,
  table: {
    rows: LEPORID_TABLE_5_STARTS.map((start) => ({ name: start, label: START_LABELS[start] })),
    columns: metricColumns(TABLE_DATASETS),
    cells: LEPORID_TABLE_5_STARTS.flatMap((start) =>
      TABLE_DATASETS.flatMap((dataset) => {
        const missing = dataMissing(dataset);
        return metricCells(start, dataset, {
          printed: isPrinted(dataset) ? leporidTable5(start, dataset) : null,
          measured:
            missing === null
              ? (metric) => ({ arm: `dlr2-${start}/${dataset}`, metric: `test/tail/${metric}` })
              : { notRunnable: missing },
        });
      }),
    ),
    digits: 4,
    tolerance: LEPORID_TOLERANCE,
  },
  claims: [
    {
      name: 'leporid-best-on-tail',
      text: 'LEPORID is the best start on tail users, ahead of LE, SVD and random.',
      source: 'Section 5.5.3',
      statements: RUN_DATASETS.flatMap((dataset) =>
        (['le', 'svd', 'random'] as const).map((start) => ({
          above: `dlr2-leporid/${dataset}`,
          below: `dlr2-${start}/${dataset}`,
          metric: 'test/tail/f1@10',
        })),
      ),
    },
  ],
};
