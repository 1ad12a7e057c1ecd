import { createHash, randomUUID } from 'node:crypto';
import {
  closeSync,
  copyFileSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Aside } from '../core/aside.ts';
import type { RecordStore } from '../core/recordStore.ts';
import type { Packed } from '../core/media.ts';
import { reasonOf } from '../core/failures.ts';
import { type JournalRecord, type KeptMedia, type Position, recordOf, START } from '../core/records.ts';
import { warn } from '../core/warn.ts';

/** Ends the name of a file beside a journal whose program Ctrl-C has ended, while the rest is about to be sent. */
export const REST = '.rest';
const CHUNK_BYTES = 1_000_000;

/** Appends records to a file of JSON lines, the same as the Python client's. */
export interface Journal {
  path: string;
  /** Never throws: what the file does not take, as on a full disk, waits in memory. */
  append(record: JournalRecord): void;
  /** Keeps a content, or a copy of a file, beside the journal. Answers its name there; null where it is lost, which `what` names. */
  keep(what: string, content: Uint8Array | string | { copyOf: string }): string | null;
  keepMedia(name: string, step: number, things: Packed[]): void;
  /** Notes in the run what is lost. */
  tellLost(): void;
  /** What still waits in memory, for whoever sends it instead. */
  takeWaiting(): string[];
  close(): void;
}

/** Journals are no part of the code: neither Git nor `warren run`, which sends what Git would, is to take them. */
function keepFromGit(folder: string): void {
  try {
    writeFileSync(join(folder, '.gitignore'), '*\n', { flag: 'wx' });
  } catch {
    // it is there, or the folder takes none
  }
}

/** What waits in memory at most while the disk takes nothing, in characters. */
const WAITING_CHARACTERS = 16 * 2 ** 20;
const COUNTED: Readonly<Record<string, string>> = {
  metrics: 'points',
  line: 'lines of the log',
  media: 'things to look at',
};

/** Opens the file of a new journal; in the temporary folder of the system where this one takes none. @throws Error where neither does */
function openedIn(folder: string, runId: string, name: string): { path: string; file: number } {
  const open = (below: string) => {
    const path = join(below, runId, name);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    keepFromGit(below);
    return { path, file: openSync(path, 'a+', 0o600) };
  };
  try {
    return open(folder);
  } catch (error) {
    const other = join(tmpdir(), `warren-${process.getuid?.() ?? 'user'}`, basename(folder));
    const opened = open(other);
    warn(`${reasonOf(error)}: the run is kept in ${other}; WARREN_DIR names another folder`);
    return opened;
  }
}

/** A new journal of a run below the folder `warren-runs`. */
export function createJournal(folder: string, runId: string): Journal {
  const started = new Date().toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-');
  const { path, file } = openedIn(folder, runId, `${started}-${process.pid}-${randomUUID().slice(0, 6)}.jsonl`);
  let files = 0;
  let isTold = false;
  let waiting: string[] = [];
  let waitingCharacters = 0;
  const lost = new Map<string, number>();
  const lose = (what: string, count = 1): void => void lost.set(what, (lost.get(what) ?? 0) + count);
  /** Answers whether the file has taken the line. */
  const put = (line: string): boolean => {
    try {
      const bytes = Buffer.from(line);
      const written = writeSync(file, bytes);
      if (written === bytes.length) return true;
      // the disk took a part of the line, which would tear the next one, too
      ftruncateSync(file, fstatSync(file).size - written);
      throw new Error('the disk took a part of a record only');
    } catch (error) {
      if (!isTold) {
        isTold = true;
        warn(`the journal ${path} takes no more (${reasonOf(error)}): what is logged waits in memory`);
      }
      return false;
    }
  };
  const append: Journal['append'] = (record) => {
    const line = `${JSON.stringify(record)}\n`;
    const sent = waiting.findIndex((earlier) => !put(earlier));
    waiting = sent === -1 ? [] : waiting.slice(sent);
    if (waiting.length === 0) waitingCharacters = 0;
    if (waiting.length === 0 && put(line)) return;
    const what = COUNTED[record[0]];
    // the end of the run, and what is told of it, always has room
    if (what !== undefined && waitingCharacters + line.length > WAITING_CHARACTERS) {
      return lose(what, record[0] === 'metrics' ? Object.keys(record[3]).length : 1);
    }
    waiting.push(line);
    waitingCharacters += line.length;
  };
  const keep: Journal['keep'] = (what, content) => {
    files += 1;
    const name = `${basename(path, '.jsonl')}-${process.pid}-${files}`;
    const kept = join(dirname(path), name);
    try {
      if (typeof content === 'object' && 'copyOf' in content) copyFileSync(content.copyOf, kept);
      else writeFileSync(kept, content, { mode: 0o600 });
      return name;
    } catch (error) {
      remove(kept);
      warn(`${what} is lost: ${reasonOf(error)}`);
      lose(what);
      return null;
    }
  };
  return {
    path,
    append,
    keep,
    keepMedia(name, step, things) {
      // contents first: what the record names is there
      const items = things.flatMap(({ kind, caption, metadata, content, type }, index): KeptMedia[] => {
        if (content === null) return [{ index, kind, caption, metadata }];
        const sha256 = createHash('sha256').update(content).digest('hex');
        const kept = keep(`${name} at step ${step}`, content);
        return kept === null ? [] : [{ index, kind, caption, metadata, sha256, type, file: kept }];
      });
      if (items.length > 0) append(['media', name, step, Date.now(), items]);
    },
    tellLost() {
      if (lost.size === 0) return;
      const counted = new Set(Object.values(COUNTED));
      const parts = [...lost].slice(0, 20).map(([what, count]) => (counted.has(what) ? `${count} ${what}` : what));
      const text = parts.join(', ');
      lost.clear();
      warn(`lost, since this machine took no more: ${text}`);
      append(['line', Date.now(), 'error', `lost, since the machine of the program took no more: ${text}`]);
      append(['alert', Date.now(), 'error', 'Not all of the run was kept', text, randomUUID()]);
    },
    takeWaiting: () => waiting.splice(0),
    close: () => closeSync(file),
  };
}

/** Removes a file as far as that can be done. */
export function remove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // the file system takes no changes
  }
}

/** Replaces a file at once or not at all. Where the disk takes none it stays: whoever reads it sends again what it lacks. */
export function replace(path: string, text: string): void {
  const temporary = `${path}.${process.pid}`;
  try {
    writeFileSync(temporary, text);
    renameSync(temporary, path);
  } catch {
    remove(temporary);
  }
}

/** Up to where a journal is sent. Without a position everything is sent again, which changes nothing at the server. */
export function readPosition(path: string): Position {
  try {
    const found: Partial<Position> = JSON.parse(readFileSync(`${path}.sent`, 'utf8'));
    return typeof found.offset === 'number' ? { ...START, ...found } : START;
  } catch {
    return START;
  }
}

/** What there was no room for: the same file as the Python client's. */
export function readAside(path: string): Aside[] {
  try {
    const found: [number, string, JournalRecord][] = JSON.parse(readFileSync(`${path}.aside`, 'utf8'));
    return found.map(([since, reason, record]) => ({ since, reason, record }));
  } catch {
    return [];
  }
}

export function keepAside(path: string, entries: readonly Aside[]): void {
  if (entries.length === 0) {
    remove(`${path}.aside`);
    return;
  }
  const rows = entries.map(({ since, reason, record }) => [since, reason, record]);
  replace(`${path}.aside`, JSON.stringify(rows));
}

/** Whole records from a byte on, the byte after them, and how many lines between them are none, as a full disk leaves them. */
export function readRecords(journal: string | number, offset: number): ReturnType<RecordStore['read']> {
  const file = typeof journal === 'string' ? openSync(journal, 'r') : journal;
  try {
    const size = fstatSync(file).size;
    let most = CHUNK_BYTES;
    let data = Buffer.alloc(0);
    do {
      data = Buffer.alloc(Math.max(0, Math.min(most, size - offset)));
      readSync(file, data, 0, data.length, offset);
      most *= 4;
    } while (!data.includes(10) && offset + data.length < size);
    const end = data.lastIndexOf(10) + 1;
    const lines = data
      .subarray(0, end)
      .toString('utf8')
      .split('\n')
      .filter((line) => line !== '');
    const records = lines.map(recordOf).filter((record) => record !== null);
    return { records, end: offset + end, damaged: lines.length - records.length };
  } finally {
    if (file !== journal) closeSync(file);
  }
}

/** Removes a journal of which the server has everything. */
export function removeJournal(path: string): void {
  for (const end of ['', '.sent', '.lock', REST]) remove(`${path}${end}`);
  try {
    rmdirSync(dirname(path));
  } catch {
    // other journals of the run are there
  }
}

/** All journals below a folder, the oldest first. */
export function findJournals(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => join(folder, name))
    .map((path) => ({ path, time: statSync(path).mtimeMs }))
    .sort((a, b) => a.time - b.time || (a.path < b.path ? -1 : 1))
    .map(({ path }) => path);
}
