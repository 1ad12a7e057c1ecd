import { createHash, randomUUID } from 'node:crypto';
import {
  appendFileSync,
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openAsBlob,
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
import { basename, dirname, join } from 'node:path';
import type { Aside } from '../core/aside.ts';
import type { RecordStore } from '../core/recordStore.ts';
import type { Packed } from '../core/media.ts';
import { type JournalRecord, type Position, recordOf, START } from '../core/records.ts';
import { warn } from '../core/warn.ts';

/** Ends the name of a file beside a journal whose program Ctrl-C has ended, while the rest is about to be sent. */
export const REST = '.rest';
const CHUNK_BYTES = 1_000_000;

/** Appends records to a file of JSON lines, the same as the Python client's. */
export interface Journal {
  path: string;
  append(record: JournalRecord): void;
  /** Keeps a content beside the journal and answers its name there. */
  keep(content: Uint8Array | string): string;
  keepMedia(name: string, step: number, things: Packed[]): void;
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

/** A new journal of a run below the folder `warren-runs`. */
export function createJournal(folder: string, runId: string): Journal {
  const started = new Date().toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-');
  const path = join(folder, runId, `${started}-${process.pid}-${randomUUID().slice(0, 6)}.jsonl`);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  keepFromGit(folder);
  const file = openSync(path, 'a', 0o600);
  let files = 0;
  let isFull = false;
  const append = (record: JournalRecord): void => {
    try {
      // what a full disk left torn ends with its own line break
      writeSync(file, `${isFull ? '\n' : ''}${JSON.stringify(record)}\n`);
      isFull = false;
    } catch (error) {
      if (!isFull) warn(`the journal ${path} takes no more (${String(error)}): what is logged now is lost`);
      isFull = true;
    }
  };
  const keep = (content: Uint8Array | string): string => {
    files += 1;
    const name = `${basename(path, '.jsonl')}-${process.pid}-${files}`;
    writeFileSync(join(dirname(path), name), content, { mode: 0o600 });
    return name;
  };
  return {
    path,
    append,
    keep,
    keepMedia(name, step, things) {
      // contents first: what the record names is there
      const items = things.map(({ kind, caption, metadata, content, type }, index) => {
        if (content === null) return { index, kind, caption, metadata };
        const sha256 = createHash('sha256').update(content).digest('hex');
        return { index, kind, caption, metadata, sha256, type, file: keep(content) };
      });
      append(['media', name, step, Date.now(), items]);
    },
    close: () => closeSync(file),
  };
}

/** The journal at a path, for whoever sends it. */
export function storeOf(path: string): RecordStore {
  const beside = (file: string): string => join(dirname(path), basename(file));
  let position = readPosition(path);
  let aside: readonly Aside[] = readAside(path);
  return {
    read: (offset) => readRecords(path, offset),
    position: () => position,
    move(to) {
      position = to;
      writeFileSync(`${path}.sent.${process.pid}`, JSON.stringify(to));
      renameSync(`${path}.sent.${process.pid}`, `${path}.sent`);
    },
    content: async (file) => (existsSync(beside(file)) ? openAsBlob(beside(file)) : null),
    aside: () => aside,
    keepAside(entries) {
      aside = entries;
      keepAside(path, entries);
    },
    drop: (file) => rmSync(beside(file), { force: true }),
    restart() {
      position = START;
      aside = [];
      keepAside(path, aside);
    },
    refuse(record, reason) {
      appendFileSync(`${path}.refused`, `${JSON.stringify([reason, record])}\n`);
      return `kept in ${path}.refused`;
    },
  };
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

function keepAside(path: string, entries: readonly Aside[]): void {
  if (entries.length === 0) {
    rmSync(`${path}.aside`, { force: true });
    return;
  }
  const rows = entries.map(({ since, reason, record }) => [since, reason, record]);
  writeFileSync(`${path}.aside.${process.pid}`, JSON.stringify(rows));
  renameSync(`${path}.aside.${process.pid}`, `${path}.aside`);
}

/** Whole records from a byte on, the byte after them, and how many lines between them are none, as a full disk leaves them. */
export function readRecords(path: string, offset: number): ReturnType<RecordStore['read']> {
  const file = openSync(path, 'r');
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
    closeSync(file);
  }
}

/** The server has everything: the journal has done its work. */
export function removeSent(path: string): void {
  for (const end of ['', '.sent', '.lock', REST]) rmSync(`${path}${end}`, { force: true });
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
