import { useEffect, useState } from 'react';
import type { MatchedRows } from '#workers/math/embeddings/matchRows.ts';
import { askThread, type Progress } from './askThread.ts';
import type { EmbeddingSource, MapAnswer, MapRequest } from './embeddingMessages.ts';

export interface ComputedMap {
  places: Float32Array<ArrayBuffer>[] | null;
  progress: Progress | null;
  error: string | null;
}

const NOTHING: ComputedMap = { places: null, progress: null, error: null };

/**
 * UMAP in a thread of its own, which ends when nothing is wanted any more (null), so that this cancels it.
 * @param pairs Rows of two embeddings that belong together; null: those of the same number.
 */
export function useMap(
  sources: readonly EmbeddingSource[] | null,
  pairs: MatchedRows | null,
  dimensions: 2 | 3,
): ComputedMap {
  const [map, setMap] = useState<ComputedMap>(NOTHING);
  const wanted = JSON.stringify(sources);
  useEffect(() => {
    setMap(NOTHING);
    const asked = JSON.parse(wanted) as EmbeddingSource[] | null;
    if (asked === null) return;
    let over = false;
    const change = (next: ComputedMap) => {
      if (!over) setMap(next);
    };
    const worker = new Worker(new URL('./mapThread.ts', import.meta.url), { type: 'module' });
    const thread = askThread<Omit<MapRequest, 'id'>, MapAnswer>(worker);
    change({ ...NOTHING, progress: { text: 'UMAP', done: 0 } });
    thread
      .ask({ sources: asked, pairs, dimensions }, (progress) => change({ ...NOTHING, progress }))
      .then(
        ({ places }) => change({ ...NOTHING, places }),
        (error: unknown) => change({ ...NOTHING, error: error instanceof Error ? error.message : String(error) }),
      )
      .finally(() => thread.end());
    return () => {
      over = true;
      thread.end();
    };
  }, [wanted, pairs, dimensions]);
  return map;
}
