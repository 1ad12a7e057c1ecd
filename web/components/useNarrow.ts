import { useSyncExternalStore } from 'react';

const query = window.matchMedia('(max-width: 480px)');

function subscribe(onChange: () => void): () => void {
  query.addEventListener('change', onChange);
  return () => query.removeEventListener('change', onChange);
}

/** Whether the window is as narrow as a phone's, kept up to date. */
export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => query.matches);
}
