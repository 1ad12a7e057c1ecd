import { RNTK_TABLE_DATASETS, RNTK_TABLE_METHODS, rntkTable2 } from '#src/catalog/published/rntkTables.ts';
import type { Study, TableCell } from '../study.ts';
import { armName, CLASSIFIER_ARMS, datasetOf, KNOWN_SETS, METHOD_LABELS, SET_APART } from './classifiers.ts';

/** RNTK, Table 2: test accuracy of seven classifiers on 56 sets of the UCR archive. */
export const rntkTable2Study: Study = {
  name: 'rntk/table-2',
  title: 'Accuracy of seven classifiers on each set',
  source: 'Table 2, Appendix A.1',
  notes: `${KNOWN_SETS.length} of the 56 sets are in the catalog. The printed kernel accuracies of ${SET_APART} do not fit its test part. Names are as printed, misspelt ones among them.`,
  arms: CLASSIFIER_ARMS,
  seeds: { quick: [1], paper: [1] },
  table: {
    rows: RNTK_TABLE_DATASETS.map((name) => ({ name, label: name })),
    columns: RNTK_TABLE_METHODS.map((name) => ({ name, label: METHOD_LABELS[name] })),
    cells: RNTK_TABLE_DATASETS.flatMap((name) =>
      RNTK_TABLE_METHODS.map(
        (method): TableCell => ({
          row: name,
          column: method,
          printed: { value: rntkTable2(name)![method] },
          ...(datasetOf(name) === null
            ? { notRunnable: 'the catalog does not have this set of the UCR archive' }
            : { value: { arm: armName(method, name), metric: 'test/accuracy' } }),
        }),
      ),
    ),
    scale: 100,
    digits: 2,
    unit: '%',
    tolerance: { absolute: 1 },
  },
  claims: [],
};
