import { useCallback, useMemo } from 'react';
import { formatCount } from '#web/lib/formatNumber.ts';
import type { LoadedEmbeddings } from './embeddingMessages.ts';
import { valueText } from './ItemList.tsx';
import { type ItemColumn, type ItemTable, namingColumn } from './itemTable.ts';
import { rowInFirst } from './rowsOfClouds.ts';

const NO_COLUMNS: readonly ItemColumn[] = [];

/** What rows are called, and what is known of them. */
export function useRowTexts(loaded: LoadedEmbeddings | null, items: ItemTable | null) {
  const naming = useMemo(() => (items === null ? null : namingColumn(items)), [items]);
  const nameOf = useCallback((row: number) => String(naming?.values[row] ?? `Item ${row}`), [naming]);
  const columns = useMemo(() => items?.columns.filter((column) => column !== naming) ?? NO_COLUMNS, [items, naming]);
  return {
    /** Of a row of the first embedding. */
    nameOf,
    nameIn(cloud: number, row: number): string {
      const first = loaded === null ? row : rowInFirst(loaded, cloud, row);
      return first < 0 ? (loaded?.match?.secondNames[row] ?? `Item ${row}`) : nameOf(first);
    },
    /** What is known of the items beside their names. */
    columns,
    factsOf: (row: number): (readonly [string, string])[] => [
      ['Row', formatCount(row)],
      ...columns.map(({ name, values }) => [name, valueText(values[row] ?? null)] as const),
      ['Length', valueText(loaded?.lengths[row] ?? null)],
      ['Cluster', String((loaded?.clusters[row] ?? 0) + 1)],
    ],
  };
}
