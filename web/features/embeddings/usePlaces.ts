import { useEffect, useRef, useState } from 'react';
import { createStore } from '#web/lib/store.ts';
import { type Camera, FIRST_CAMERA, FIRST_CAMERA_IN_SPACE } from './camera.ts';
import type { EmbeddingSource, LoadedEmbeddings, MapAnswer, MapRequest } from './embeddingMessages.ts';
import type { EmbeddingsSearch } from './embeddingsSearch.ts';
import type { MatchedRows } from '#workers/math/embeddings/matchRows.ts';
import { askThread, type Progress } from './askThread.ts';

interface ComputedMap {
  places: Float32Array<ArrayBuffer>[] | null;
  progress: Progress | null;
  error: string | null;
}

const NOTHING: ComputedMap = { places: null, progress: null, error: null };

/**
 * UMAP in a thread of its own, which ends when nothing is wanted any more (null), so that this cancels it.
 * @param pairs Rows of two embeddings that belong together; null: those of the same number.
 */
function useMap(sources: readonly EmbeddingSource[] | null, pairs: MatchedRows | null, dimensions: 2 | 3): ComputedMap {
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

/** Where the points lie, in the plane or in space, from where they are looked at, and the map where one is asked for. */
export function usePlaces(
  sources: readonly EmbeddingSource[],
  loaded: LoadedEmbeddings | null,
  { space, method }: Pick<EmbeddingsSearch, 'space' | 'method'>,
) {
  const inSpace = space === '3';
  const wantsMap = method === 'umap' && loaded !== null;
  const map = useMap(wantsMap ? sources : null, loaded?.match?.pairs ?? null, inSpace ? 3 : 2);
  const camera = useRef(createStore<Camera>(FIRST_CAMERA)).current;
  useEffect(() => camera.set(inSpace ? FIRST_CAMERA_IN_SPACE : FIRST_CAMERA), [camera, inSpace]);
  return { inSpace, map, camera, places: map.places ?? loaded?.places ?? [] };
}
