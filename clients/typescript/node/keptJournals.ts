import { existsSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { findJournals, readPosition, removeJournal } from './journal.ts';
import { releaseLock } from './lock.ts';

/** Unless WARREN_KEEP_JOURNALS names other days; 0 keeps none. */
const KEEP_DAYS = 30;
/** All of a folder together. */
const KEEP_BYTES = 1e9;
const DAY_MS = 86_400_000;

/**
 * The server has all of a journal: it stays for a while, for a server that is restored from a backup gets again what it has lost.
 * Those that are older or too much go.
 */
export function retire(path: string): void {
  const days = keepDays();
  const folder = dirname(dirname(path));
  try {
    const { bavail, bsize } = statfsSync(folder);
    // a disk that is short of room keeps none
    if (days > 0 && bavail * bsize > KEEP_BYTES) {
      releaseLock(path);
      prune(folder, Date.now() - days * DAY_MS);
      return;
    }
  } catch {
    // somebody has removed the folder
  }
  removeJournal(path);
}

function keepDays(): number {
  // the folder of a program that a worker executes goes with it
  if (process.env.WARREN_ATTEMPT) return 0;
  const given = Number(process.env.WARREN_KEEP_JOURNALS || KEEP_DAYS);
  return Number.isNaN(given) ? KEEP_DAYS : given;
}

function prune(folder: string, oldest: number): void {
  let total = 0;
  for (const path of findJournals(folder).reverse()) {
    const { ended, refused, offset } = readPosition(path);
    const { size, mtimeMs } = statSync(path);
    if (!ended || refused > 0 || offset < size || existsSync(`${path}.aside`)) continue;
    total += size;
    if (mtimeMs < oldest || total > KEEP_BYTES) removeJournal(path);
  }
}
