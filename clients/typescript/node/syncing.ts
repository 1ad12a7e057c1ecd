import { rmSync, statSync } from 'node:fs';
import { toldAside } from '../core/aside.ts';
import { deliveryOf, RunEnded } from '../core/delivery.ts';
import { Refused, Unreachable } from '../core/failures.ts';
import { transportTo } from '../core/transport.ts';
import { warn } from '../core/warn.ts';
import { findJournals, readAside, readPosition, readRecords, storeOf } from './journal.ts';
import { lockJournal } from './lock.ts';

export interface Synced {
  path: string;
  outcome: 'sent' | 'nothing new' | 'in use' | 'no room' | 'refused';
  detail: string;
}

export interface SyncOptions {
  /** The server instead of the one that the journal names. */
  server?: string | undefined;
  token?: string | undefined;
  /** Of a run that is made now, instead of the one that its program named. */
  project?: string | undefined;
}

/** Sends what is new in a journal. @throws Unreachable */
export async function syncJournal(path: string, { server, token, project }: SyncOptions = {}): Promise<Synced> {
  const first = readRecords(path, 0).records[0];
  if (first?.[0] !== 'run') return { path, outcome: 'refused', detail: 'it does not begin with a run' };
  if (!lockJournal(path)) return { path, outcome: 'in use', detail: 'its program sends it' };
  try {
    const store = storeOf(path);
    const before = store.position().offset;
    const delivery = deliveryOf(store, transportTo(server ?? first[2].server, token ?? null), first[1].id, project);
    while (await delivery.sendSome());
    const waited = store.aside().length > 0;
    await delivery.retryAside();
    const unstored = toldAside(store.aside());
    if (unstored !== null) return { path, outcome: 'no room', detail: unstored };
    const { refused, offset } = store.position();
    if (refused > 0) return { path, outcome: 'refused', detail: `${refused} records stand in ${path}.refused` };
    return { path, outcome: offset > before || waited ? 'sent' : 'nothing new', detail: '' };
  } catch (error) {
    if (error instanceof Refused || error instanceof RunEnded)
      return { path, outcome: 'refused', detail: error.message };
    throw error;
  } finally {
    rmSync(`${path}.lock`, { force: true });
  }
}

/** Sends what programs that died left below a folder; where the server is away, the next start does. */
export async function sendLeftBehind(folder: string, options: SyncOptions): Promise<void> {
  for (const path of findJournals(folder)) {
    try {
      const header = readRecords(path, 0).records[0];
      if (header?.[0] !== 'run' || header[2].mode !== 'online') continue;
      if (readPosition(path).offset >= statSync(path).size && readAside(path).length === 0) continue;
      const { outcome } = await syncJournal(path, { token: options.token });
      if (outcome === 'sent') warn(`sent what an earlier program had left in ${path}`);
    } catch (error) {
      if (error instanceof Unreachable) return;
      warn(`${path} is not sent: ${String(error)}`);
    }
  }
}
