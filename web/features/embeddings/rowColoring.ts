import type { LoadedEmbeddings } from './embeddingMessages.ts';
import { idColumn, type ItemTable, namingColumn } from './itemTable.ts';
import { type Coloring, coloringByNumber, coloringByText } from './pointColors.ts';

/** A column of the table of items, as the address names it. */
export const ITEM_PREFIX = 'item:';

export interface ColorChoice {
  value: string;
  label: string;
}

/** By what points may be colored: what the embedding itself says, and what is known of the items. */
export function colorChoices(items: ItemTable | null): ColorChoice[] {
  // neither what an item is called nor its id says what it has in common with others
  const own = items === null ? [] : [namingColumn(items), idColumn(items)];
  return [
    ...(items?.columns ?? [])
      .filter((column) => !own.includes(column))
      .map(({ name }) => ({ value: `${ITEM_PREFIX}${name}`, label: name })),
    { value: 'cluster', label: 'Cluster' },
    { value: 'length', label: 'Length of the vector' },
    { value: 'row', label: 'Row number' },
  ];
}

/** The choice that is wanted, else the first: a column of the items where there are some, else clusters. */
export function chosenColor(wanted: string | undefined, choices: readonly ColorChoice[]): string {
  return choices.find(({ value }) => value === wanted)?.value ?? choices[0]?.value ?? 'cluster';
}

/**
 * The colors of `rows` rows by a choice. Those that are no row of the first embedding are of unknown color.
 * @param firstRow Which row of the first embedding a row is; -1: none.
 */
export function rowColoring(
  choice: string,
  {
    loaded,
    items,
    rows,
    firstRow,
  }: { loaded: LoadedEmbeddings; items: ItemTable | null; rows: number; firstRow(row: number): number },
): Coloring {
  const column = items?.columns.find(({ name }) => choice === `${ITEM_PREFIX}${name}`);
  const all = <Value>(of: (row: number) => Value | undefined): (Value | null)[] =>
    Array.from({ length: rows }, (_, row) => (firstRow(row) < 0 ? null : (of(firstRow(row)) ?? null)));
  if (column !== undefined) {
    if (!column.isNumeric) return coloringByText(all((row) => column.values[row]));
    return coloringByNumber(
      all((row) => {
        const value = column.values[row];
        return typeof value === 'number' ? value : undefined;
      }),
    );
  }
  if (choice === 'length') return coloringByNumber(all((row) => loaded.lengths[row]));
  if (choice === 'row') return coloringByNumber(all((row) => row));
  return coloringByText(
    all((row) => (row < loaded.clusters.length ? `cluster ${loaded.clusters[row]! + 1}` : undefined)),
  );
}
