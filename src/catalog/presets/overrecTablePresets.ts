import type { Preset } from '../kind.ts';
import { type OverrecTableRow, overrecTable2 } from '../published/overrecTable.ts';

type Parameters = Record<string, unknown>;

const DATASETS = [
  { name: 'beauty', title: 'Amazon Beauty', dataset: 'amazon-beauty' },
  { name: 'clothing', title: 'Amazon Clothing, Shoes and Jewelry', dataset: 'amazon-clothing' },
  { name: 'toys', title: 'Amazon Toys and Games', dataset: 'amazon-toys' },
  {
    name: 'ml-1m',
    title: 'MovieLens 1M, users and items with five interactions',
    dataset: 'ml-1m',
    selection: { core: 5 },
  },
] as const;
type OverrecTableDatasetName = (typeof DATASETS)[number]['name'];

/** The same parameters on all of them: what is computed without being fitted to a dataset. */
export function onEveryDataset(parameters: Parameters): Record<OverrecTableDatasetName, Parameters> {
  return { beauty: parameters, clothing: parameters, toys: parameters, 'ml-1m': parameters };
}

/**
 * The runs of a row of OverRec's Table II: `overrec/table-2-ROW-DATASET` with all items ranked as printed, and `…-unseen` with
 * seen items left out of the ranking, which decides the comparison (docs/errata.md, 10). Parameters go by dataset (`beauty`, `clothing`,
 * `toys`, `ml-1m`); one without has no presets.
 */
export function overrecTablePresets(
  row: OverrecTableRow,
  parameters: Readonly<Partial<Record<OverrecTableDatasetName, Parameters>>>,
): Preset[] {
  return DATASETS.flatMap(({ name, title, dataset, ...of }): Preset[] => {
    const own = parameters[name];
    if (own === undefined) return [];
    const printed = Object.entries(overrecTable2(dataset, row)).map(([metric, value]) => `${metric} ${value}`);
    const shared = { dataset, ...of };
    return [
      {
        ...shared,
        name: `overrec/table-2-${row}-${name}`,
        description: `${title}, Table II, all items ranked. Printed: ${printed.join(', ')}.`,
        parameters: own,
      },
      {
        ...shared,
        name: `overrec/table-2-${row}-${name}-unseen`,
        description: `${title}, Table II with seen items left out of the ranking, which the paper does not.`,
        parameters: { ...own, excludeSeen: true },
      },
    ];
  });
}
