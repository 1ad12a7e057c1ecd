import { useEffect, useRef } from 'react';
import { createStore } from '#web/lib/store.ts';
import { type Camera, FIRST_CAMERA, FIRST_CAMERA_IN_SPACE } from './camera.ts';
import type { EmbeddingSource, LoadedEmbeddings } from './embeddingMessages.ts';
import type { EmbeddingsSearch } from './embeddingsSearch.ts';
import { useMap } from './useMap.ts';

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
