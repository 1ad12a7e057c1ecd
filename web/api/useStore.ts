import { useSyncExternalStore } from 'react';
import type { Store } from '../lib/store.ts';

/** The store's value; the component renders again when it changes. */
export function useStore<Value>(store: Store<Value>): Value {
  return useSyncExternalStore(store.subscribe, store.get);
}
