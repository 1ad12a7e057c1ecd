import { createStore } from '../lib/store.ts';

const FIRST_DELAY_MS = 1000;
const LONGEST_DELAY_MS = 8000;

/** Whether the API answers. */
export const connection = createStore<'online' | 'away'>('online');

const returnListeners = new Set<() => void>();

/** Calls back each time the API answers again after it was away. */
export function onReturn(listener: () => void): () => void {
  returnListeners.add(listener);
  return () => returnListeners.delete(listener);
}

/** Something got no answer from the API: asks `/ready` until it answers again. */
export function reportAway(): void {
  if (connection.get() === 'away') return;
  connection.set('away');
  void waitForReturn();
}

async function waitForReturn(): Promise<void> {
  let delay = FIRST_DELAY_MS;
  while (!(await isHealthy())) {
    await new Promise((resolve) => setTimeout(resolve, delay));
    delay = Math.min(delay * 1.5, LONGEST_DELAY_MS);
  }
  connection.set('online');
  for (const listener of returnListeners) listener();
}

/** Whether the API answers now. */
export async function isHealthy(): Promise<boolean> {
  try {
    const response = await fetch('/ready', { cache: 'no-store' });
    return response.ok;
  } catch {
    return false;
  }
}
