import { useMemo, useState } from 'react';
import { itemFileOf } from './embeddingFiles.ts';
import type { ItemSource } from './embeddingMessages.ts';
import type { EmbeddingsSearch } from './embeddingsSearch.ts';
import type { useEmbeddings } from './useEmbeddings.ts';
import { useItems } from './useItems.ts';

/** What is known of the items: from a file of the reader, or else from one of the run. */
export function useItemSource(
  embeddings: ReturnType<typeof useEmbeddings>,
  itemFiles: readonly { name: string; url: string }[],
  search: Pick<EmbeddingsSearch, 'items' | 'artifact'>,
) {
  const [own, setOwn] = useState<ItemSource | null>(null);
  const fromRun = useMemo(
    () => itemFileOf(itemFiles, search.items, search.artifact),
    [itemFiles, search.items, search.artifact],
  );
  return { items: useItems(embeddings, own ?? fromRun), own, setOwn, fromRun };
}
