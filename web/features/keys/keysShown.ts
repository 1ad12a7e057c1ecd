import { createStore } from '#web/lib/store.ts';

/** Whether the list of keys is open. */
export const keysShown = createStore(false);
