import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from 'node-sqlite3-wasm';
import { z } from 'zod';
import { badInput } from '#src/base/contracts/errors.ts';
import { coerceError } from '#src/base/lib/coerceError.ts';

export interface SqliteReader {
  /** Rows of a query, one at a time. Throws BAD_INPUT where the database is damaged or a row is none of the schema. */
  rows<Row>(schema: z.ZodType<Row>, sql: string, values?: (string | number)[]): Iterable<Row>;
  /** Whether there is a table of this name that holds what it gives: a view, or a column that is computed, could give anything without end. */
  hasTable(name: string): boolean;
  close(): void;
}

const anything = z.unknown();
const MAGIC = 'SQLite format 3\0';
/** Milliseconds before each further copy of a database that changed during the one before. */
const PAUSES_MS = [50, 200, 1_000];

/**
 * Opens a copy of a SQLite database, with what its write-ahead log has committed: the program that owns it may go on.
 * @throws WarrenError BAD_INPUT when it is none, or is written to all the time.
 */
export async function openSqlite(path: string): Promise<SqliteReader> {
  const folder = mkdtempSync(join(tmpdir(), 'warren-import-'));
  const copy = join(folder, 'copy.db');
  try {
    for (const pause of [...PAUSES_MS, null]) {
      if (copyQuiet(path, copy)) break;
      if (pause === null) {
        const advice = 'wait until it has ended; where it crashed, let it open the database once';
        throw badInput(`${path}: the program that owns it is writing: ${advice}`, 'source');
      }
      await wait(pause);
    }
    const { default: sqlite } = await import('node-sqlite3-wasm');
    return readerOf(new sqlite.Database(copy, { readOnly: true }), path, folder);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Virtual tables have no first page; columns that are computed are hidden. */
const STORED_TABLE = `SELECT 1 FROM sqlite_master WHERE type = 'table' AND rootpage > 0 AND name = ?
  AND NOT EXISTS (SELECT 1 FROM pragma_table_xinfo(sqlite_master.name) WHERE hidden > 0)`;

function readerOf(database: Database, path: string, folder: string): SqliteReader {
  function* rows<Row>(schema: z.ZodType<Row>, sql: string, values: (string | number)[] = []): Generator<Row> {
    try {
      const statement = database.prepare(sql);
      try {
        for (const row of statement.iterate(values)) yield schema.parse(row);
      } finally {
        statement.finalize();
      }
    } catch (error) {
      const why = error instanceof z.ZodError ? 'a row is not as its tracker writes it' : coerceError(error).message;
      throw badInput(`${path}: ${why}`, 'source');
    }
  }
  return {
    rows,
    hasTable: (name) => [...rows(anything, STORED_TABLE, [name])].length > 0,
    close() {
      database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Copies it; false where a transaction, or a checkpoint of the log, was under way. */
function copyQuiet(path: string, copy: string): boolean {
  const before = stampOf(path);
  copyFileSync(path, copy);
  chmodSync(copy, 0o600);
  const file = openSync(copy, 'r+');
  let isWhole = false;
  try {
    isWhole = prepareCopy(file, path);
  } finally {
    closeSync(file);
  }
  // the log may have grown: it counts as far as its checksums agree, and is begun anew only after the database has its pages
  return isWhole && !hasHotJournal(path) && stampOf(path) === before;
}

function stampOf(path: string): string {
  const { size, mtimeNs, ino } = statSync(path, { bigint: true });
  return `${ino} ${size} ${mtimeNs}`;
}

/** sqlite.org/fileformat.html, 3: a journal that begins with zeros, or is empty, holds nothing to roll back. */
function hasHotJournal(path: string): boolean {
  const journal = `${path}-journal`;
  if (!existsSync(journal)) return false;
  const start = Buffer.alloc(8);
  try {
    const file = openSync(journal, 'r');
    try {
      readSync(file, start, 0, 8, 0);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    // its transaction has ended meanwhile: the stamp of the database tells
    if (coerceError(error).message.startsWith('ENOENT')) return false;
    throw error;
  }
  return start.some((byte) => byte !== 0);
}

/**
 * Writes the pages of the log into the copy, and takes the mode that needs shared memory from its header. False where the log
 * changed under it.
 */
function prepareCopy(file: number, path: string): boolean {
  const header = Buffer.alloc(100);
  if (readSync(file, header, 0, 100, 0) < 100 || header.toString('latin1', 0, 16) !== MAGIC) {
    throw badInput(`${path}: this is no SQLite database`, 'source');
  }
  const log = `${path}-wal`;
  let isWhole = true;
  if (existsSync(log)) {
    const pages = openSync(log, 'r');
    try {
      isWhole = applyLog(file, pages);
    } finally {
      closeSync(pages);
    }
  }
  // sqlite.org/fileformat.html, 1.3.3: the versions of reading and writing; 2 is the write-ahead log
  writeSync(file, Buffer.from([1, 1]), 0, 2, 18);
  return isWhole;
}

const LOG_HEADER = 32;
const FRAME_HEADER = 24;

/**
 * Writes the pages of all transactions that the log holds whole (sqlite.org/fileformat.html, 4: salts and checksums must agree).
 * Of a log of any size one page is held. False where it was begun anew meanwhile, which changes its header first.
 */
function applyLog(file: number, log: number): boolean {
  const [before, after] = [Buffer.alloc(LOG_HEADER), Buffer.alloc(LOG_HEADER)];
  if (readSync(log, before, 0, LOG_HEADER, 0) === LOG_HEADER) applyFrames(file, log, before);
  readSync(log, after, 0, LOG_HEADER, 0);
  return after.equals(before);
}

function applyFrames(file: number, log: number, header: Buffer): void {
  const magic = header.readUInt32BE(0);
  if (magic !== 0x377f0682 && magic !== 0x377f0683) return;
  const big = magic === 0x377f0683;
  const pageSize = header.readUInt32BE(8);
  if (pageSize < 512 || pageSize > 65_536) return;
  let sum: [number, number] = checksum(header.subarray(0, 24), [0, 0], big);
  if (sum[0] !== header.readUInt32BE(24) || sum[1] !== header.readUInt32BE(28)) return;
  const frame = Buffer.alloc(FRAME_HEADER + pageSize);
  const page = frame.subarray(FRAME_HEADER);
  /** Where the log has the newest content of each page of this transaction. */
  const pending = new Map<number, number>();
  for (let at = LOG_HEADER; readSync(log, frame, 0, frame.length, at) === frame.length; at += frame.length) {
    if (frame.readUInt32BE(0) === 0) return; // there is no such page
    if (!frame.subarray(8, 16).equals(header.subarray(16, 24))) return;
    sum = checksum(page, checksum(frame.subarray(0, 8), sum, big), big);
    if (sum[0] !== frame.readUInt32BE(16) || sum[1] !== frame.readUInt32BE(20)) return;
    pending.set(frame.readUInt32BE(0), at + FRAME_HEADER);
    if (frame.readUInt32BE(4) === 0) continue;
    for (const [number, place] of pending) {
      if (readSync(log, page, 0, pageSize, place) < pageSize) return;
      writeSync(file, page, 0, pageSize, (number - 1) * pageSize);
    }
    pending.clear();
  }
}

function checksum(bytes: Buffer, [first, second]: readonly [number, number], big: boolean): [number, number] {
  let [a, b] = [first, second];
  for (let at = 0; at + 8 <= bytes.length; at += 8) {
    a = (a + (big ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at)) + b) >>> 0;
    b = (b + (big ? bytes.readUInt32BE(at + 4) : bytes.readUInt32LE(at + 4)) + a) >>> 0;
  }
  return [a, b];
}
