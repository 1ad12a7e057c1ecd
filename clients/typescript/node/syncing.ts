import { existsSync, rmSync, statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { toldAside } from '../core/aside.ts';
import { type Delivery, deliveryOf } from '../core/delivery.ts';
import { isRestored } from '../core/channel.ts';
import { Refused, RunEnded, Unreachable } from '../core/failures.ts';
import type { JournalRecord } from '../core/records.ts';
import { sendWhole } from '../core/reopening.ts';
import { type Transport, transportTo } from '../core/transport.ts';
import { warn } from '../core/warn.ts';
import { RunNumberDocument } from '../generated/api.ts';
import { findJournals, readAside, readPosition, readRecords, REST } from './journal.ts';
import { storeOf } from './journalStore.ts';
import { isLocked, lockJournal, releaseLock } from './lock.ts';

export interface Synced {
  path: string;
  outcome: 'sent' | 'nothing new' | 'in use' | 'no room' | 'refused';
  detail: string;
  /** Of the run's page, where something was sent. */
  url?: string;
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
  const first = beginningOf(path);
  if (first === null) return { path, outcome: 'refused', detail: 'it does not begin with a run' };
  if (!lockJournal(path)) return { path, outcome: 'in use', detail: 'its program sends it' };
  try {
    const [, { id: runId }, header] = first;
    const store = storeOf(path);
    const transport = transportTo(server ?? header.server, token ?? null);
    const delivery = deliveryOf(store, transport, runId, { project });
    await delivery.settleServer();
    const before = store.position().offset;
    await sendWhole({ delivery, store, transport, runId, header });
    const waited = store.aside().length > 0;
    await delivery.retryAside();
    const unstored = toldAside(store.aside());
    if (unstored !== null) return { path, outcome: 'no room', detail: unstored };
    const { refused, offset, damaged } = store.position();
    if (refused > 0) return { path, outcome: 'refused', detail: `${refused} records stand in ${path}.refused` };
    const detail = lossesOf(delivery, damaged);
    if (offset <= before && !waited) return { path, outcome: 'nothing new', detail };
    return { path, outcome: 'sent', detail, ...(await pageOf(transport, runId)) };
  } catch (error) {
    if (error instanceof Refused || error instanceof RunEnded)
      return { path, outcome: 'refused', detail: error.message };
    throw error;
  } finally {
    releaseLock(path);
  }
}

/** The address of a run's page; none where it cannot be had now: what was to be sent is sent all the same. */
async function pageOf(transport: Transport, runId: string): Promise<Pick<Synced, 'url'>> {
  const found = await transport.ask(RunNumberDocument, { id: runId }).catch(() => null);
  return found?.run == null ? {} : { url: `${transport.url}/runs/${found.run.number}` };
}

/** What the server does not get, since it is nowhere any more. */
function lossesOf(delivery: Delivery, damaged: number): string {
  const elsewhere = delivery.elsewhere();
  return [
    ...(damaged > 0 ? [`damaged lines of the journal, which are lost: ${damaged}`] : []),
    ...(elsewhere !== null && elsewhere.files.length > 0
      ? [`these files went to ${elsewhere.server} alone: ${elsewhere.files.join(', ')}`]
      : []),
  ].join('; ');
}

/** Sends what a program that died left of a run, before another goes on with it: its steps and lines come first. */
export async function sendFirst(
  runFolder: string,
  options: { server: string; token: string | undefined },
): Promise<void> {
  for (const path of findJournals(runFolder)) {
    // a program that Ctrl-C has just ended leaves its rest to a process of its own, which may only be starting
    for (let waits = 0; waits < 100 && existsSync(`${path}${REST}`); waits++) await pause(100);
    rmSync(`${path}${REST}`, { force: true });
    if (!existsSync(path) || !isLeftBehind(path)) continue;
    try {
      await syncJournal(path, options);
    } catch (error) {
      if (error instanceof Unreachable) return;
      throw error;
    }
  }
}

/** Sends what programs that died left below a folder; where the server is away, the next start does. */
export async function sendLeftBehind(folder: string, transport: Transport): Promise<void> {
  const token = transport.token ?? undefined;
  for (const path of findJournals(folder)) {
    try {
      if (!isLeftBehind(path) && !isLost(path, transport)) continue;
      const { outcome } = await syncJournal(path, { token });
      if (outcome === 'sent') warn(`sent what an earlier program had left in ${path}`);
    } catch (error) {
      if (error instanceof Unreachable) return;
      warn(`${path} is not sent: ${String(error)}`);
    }
  }
}

/** Whether the server had all of a journal before it was restored from a backup. */
function isLost(path: string, transport: Transport): boolean {
  const position = readPosition(path);
  return position.server === transport.url && isRestored({ position: () => position }, transport) && !isLocked(path);
}

function isLeftBehind(path: string): boolean {
  if (beginningOf(path)?.[2].mode !== 'online') return false;
  const isSent = readPosition(path).offset >= statSync(path).size && readAside(path).length === 0;
  return !isSent && !isLocked(path);
}

function beginningOf(path: string): Extract<JournalRecord, ['run', ...unknown[]]> | null {
  const first = readRecords(path, 0).records[0];
  return first?.[0] === 'run' ? first : null;
}
