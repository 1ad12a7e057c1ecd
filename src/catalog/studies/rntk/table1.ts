import { RNTK_TABLE_1, RNTK_TABLE_METHODS } from '#src/catalog/published/rntkTables.ts';
import type { Study, TableCell } from '../study.ts';
import { MEASURES } from './accuracyMeasures.ts';
import { CLASSIFIER_ARMS, SET_APART } from './classifiers.ts';
import { aboveOthers, cellOf, columnsOf, MEASURE_ROWS, measured, SETS } from './table1Measures.ts';

const PRINTED = {
  mean: RNTK_TABLE_1.mean,
  'standard-deviation': RNTK_TABLE_1.standardDeviation,
  p90: RNTK_TABLE_1.p90,
  p95: RNTK_TABLE_1.p95,
  pma: RNTK_TABLE_1.pma,
  'friedman-rank': RNTK_TABLE_1.friedmanRank,
} as const;

/** RNTK, Table 1: classifiers over many sets. */
export const rntkTable1Study: Study = {
  name: 'rntk/table-1',
  title: 'Classifiers of time series, summed up over sets',
  source: 'Table 1, Section 4',
  notes: `Printed over 56 sets; measured over the ${SETS.length} of them that the catalog has (${SET_APART} is left out: its printed kernel accuracies do not fit its test part). rntk/table-1-kernels compares like with like. Trained networks take hours a set.`,
  arms: CLASSIFIER_ARMS,
  seeds: { quick: [1], paper: [1] },
  table: {
    rows: MEASURE_ROWS,
    columns: columnsOf(RNTK_TABLE_METHODS),
    cells: MEASURES.flatMap((measure) =>
      RNTK_TABLE_METHODS.map(
        (method, at): TableCell => ({
          ...cellOf(measure, method),
          printed: { value: PRINTED[measure][at]!, n: 56 },
          value: measured(measure, RNTK_TABLE_METHODS, { method }),
        }),
      ),
    ),
    digits: 2,
    tolerance: { absolute: 1 },
  },
  claims: [
    {
      name: 'above-kernels',
      text: 'The RNTK outperforms the NTK and the classical kernels.',
      source: 'Section 4, Table 1',
      statements: aboveOthers(['ntk', 'rbf', 'polynomial']),
    },
    {
      name: 'above-networks',
      text: 'The RNTK outperforms trained RNNs and GRU.',
      source: 'Section 4, Table 1',
      statements: aboveOthers(['gaussian-rnn', 'identity-rnn', 'gru']),
    },
  ],
};
