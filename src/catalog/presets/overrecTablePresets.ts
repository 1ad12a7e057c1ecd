import type { Preset } from '../kind.ts';
import { type OverrecTableRow, overrecTable2 } from '../published/overrecTable.ts';

type Parameters = Record<string, unknown>;

const DATASETS = [
  { name: 'beauty', title: 'Amazon Beauty', dataset: 'amazon-beauty' },
  {
    name: 'ml-1m',
    title: 'MovieLens 1M, users and items with five interactions',
    dataset: 'ml-1m',
    selection: { core: 5 },
  },
] as const;

/**
 * The runs of a row of OverRec's Table II: on Beauty and ML-1M, `overrec/table-2-ROW-DATASET` with all items ranked as printed,
 * and `…-unseen` with seen items left out of the ranking, which decides the comparison (errata 10). Parameters go by dataset.
 */
export function overrecTablePresets(
  row: OverrecTableRow,
  parameters: Readonly<Record<(typeof DATASETS)[number]['name'], Parameters>>,
): Preset[] {
  return DATASETS.flatMap(({ name, title, dataset, ...of }): Preset[] => {
    const printed = Object.entries(overrecTable2(dataset, row)).map(([metric, value]) => `${metric} ${value}`);
    const shared = { dataset, ...of };
    return [
      {
        ...shared,
        name: `overrec/table-2-${row}-${name}`,
        description: `${title}, Table II, all items ranked. Printed: ${printed.join(', ')}.`,
        parameters: parameters[name],
      },
      {
        ...shared,
        name: `overrec/table-2-${row}-${name}-unseen`,
        description: `${title}, Table II with seen items left out of the ranking, which the paper does not.`,
        parameters: { ...parameters[name], excludeSeen: true },
      },
    ];
  });
}
