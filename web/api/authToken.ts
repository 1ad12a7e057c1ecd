import { createStore } from '../lib/store.ts';

const KEY = 'warren.token';

/** The token given in this tab; null without one. Kept for the tab's session only. */
export const authToken = createStore<string | null>(readStored());

/** Whether the API has asked for a token, or refused the one it got. */
export const tokenWanted = createStore(false);

export function setAuthToken(token: string | null): void {
  if (token === null) sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, token);
  authToken.set(token);
}

/** Whether the tab shows what was shared by a link. */
export function isSharedTab(): boolean {
  return authToken.get()?.startsWith('warren_share_') === true;
}

function readStored(): string | null {
  try {
    return sessionStorage.getItem(KEY);
  } catch {
    return null;
  }
}
