import { useEffect, useRef, useState } from 'react';
import { askThread, type Progress, type Thread } from './askThread.ts';
import type {
  Agreement,
  EmbeddingAnswer,
  EmbeddingRequest,
  EmbeddingSource,
  ItemSource,
  LoadedEmbeddings,
  Neighbours,
} from './embeddingMessages.ts';
import type { ItemTable } from './itemTable.ts';

export interface Embeddings {
  loaded: LoadedEmbeddings | null;
  error: string | null;
  /** What goes on in the thread; null when it waits. */
  progress: Progress | null;
  near(row: number, count: number): Promise<Neighbours[]>;
  agreement: Agreement | null;
  readItems(source: ItemSource): Promise<ItemTable>;
}

/** Neighbors by which two embeddings are compared. */
export const COMPARED_NEIGHBOURS = 10;

type Shown = Pick<Embeddings, 'loaded' | 'error' | 'progress' | 'agreement'>;
const NOTHING: Shown = { loaded: null, error: null, progress: null, agreement: null };

/** One or two embeddings in a thread of their own; null while it is not known which. */
export function useEmbeddings(sources: readonly EmbeddingSource[] | null): Embeddings {
  const thread = useRef<Thread<EmbeddingRequest, EmbeddingAnswer> | null>(null);
  const [shown, setShown] = useState<Shown>(NOTHING);
  const wanted = JSON.stringify(sources);

  useEffect(() => {
    setShown(NOTHING);
    const asked = JSON.parse(wanted) as EmbeddingSource[] | null;
    if (asked === null) return;
    let over = false;
    const change = (part: Partial<Shown>) => {
      if (!over) setShown((before) => ({ ...before, ...part }));
    };
    const worker = new Worker(new URL('./embeddingThread.ts', import.meta.url), { type: 'module' });
    const current = askThread<EmbeddingRequest, EmbeddingAnswer>(worker);
    thread.current = current;
    const onProgress = (progress: Progress) => change({ progress });
    const work = async () => {
      const loaded = await current.ask({ type: 'load', sources: asked }, onProgress);
      if (loaded.type !== 'loaded') return;
      change({ loaded, progress: null });
      if (loaded.compared === null) return;
      const agreement = await current.ask({ type: 'compare', count: COMPARED_NEIGHBOURS }, onProgress);
      if (agreement.type === 'compared') change({ agreement, progress: null });
    };
    work().catch((error: unknown) =>
      change({ error: error instanceof Error ? error.message : String(error), progress: null }),
    );
    return () => {
      over = true;
      thread.current = null;
      current.end();
    };
  }, [wanted]);

  const ask = async (request: EmbeddingRequest): Promise<EmbeddingAnswer> => {
    if (thread.current === null) throw new Error('No embeddings are loaded.');
    return await thread.current.ask(request);
  };
  return {
    ...shown,
    near: async (row, count) => {
      const answer = await ask({ type: 'near', row, count });
      return answer.type === 'near' ? answer.lists : [];
    },
    readItems: async (source) => {
      const answer = await ask({ type: 'items', source });
      if (answer.type !== 'items') throw new Error('The items cannot be read.');
      return answer.items;
    },
  };
}
