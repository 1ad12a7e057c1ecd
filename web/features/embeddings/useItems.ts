import { useEffect, useState } from 'react';
import { formatCount } from '#web/lib/formatNumber.ts';
import type { ItemSource } from './embeddingMessages.ts';
import type { ItemTable } from './itemTable.ts';
import type { Embeddings } from './useEmbeddings.ts';

export interface Items {
  table: ItemTable | null;
  error: string | null;
}

/** What a source tells of the items, one row for each of `rows`; nothing where there is no source. */
export function useItems({ loaded, readItems }: Embeddings, source: ItemSource | null): Items {
  const [items, setItems] = useState<Items>({ table: null, error: null });
  const rows = loaded?.rows[0];
  // biome-ignore lint/correctness/useExhaustiveDependencies: the thread is asked once for each source
  useEffect(() => {
    setItems({ table: null, error: null });
    if (source === null || rows === undefined) return;
    let over = false;
    const set = (next: Items) => !over && setItems(next);
    readItems(source).then(
      (table) => {
        if (table.rowCount === rows) return set({ table, error: null });
        const found = `${source.name} has ${formatCount(table.rowCount)} rows`;
        return set({
          table: null,
          error: `${found}; expected ${formatCount(rows)}, one for each row of the embedding.`,
        });
      },
      (error: unknown) => set({ table: null, error: error instanceof Error ? error.message : String(error) }),
    );
    return () => {
      over = true;
    };
  }, [source, rows]);
  return items;
}
