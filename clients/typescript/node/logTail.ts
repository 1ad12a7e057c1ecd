import { LogTail } from '#src/base/lib/logTail.ts';
import type { JournalRecord } from '../core/records.ts';

type LineRecord = Extract<JournalRecord, ['line', ...unknown[]]>;

/** What a line takes at the server beside its text. */
const BYTES_BESIDE_TEXT = 100;

const bytesOf = ([, , , text]: LineRecord): number => text.length + BYTES_BESIDE_TEXT;

const MEGABYTE = 2 ** 20;

/** What the log of a run takes: what the server keeps, 64 MiB where it has not said so, or less by WARREN_LOG_MB. */
function roomFor(mostBytes: number | null): number {
  const given = process.env.WARREN_LOG_MB ?? '';
  const own = /^[1-9]\d*$/.test(given) ? Number(given) * MEGABYTE : null;
  return Math.min(mostBytes ?? own ?? 64 * MEGABYTE, own ?? Number.POSITIVE_INFINITY);
}

/** Takes lines of a log. */
export interface KeptLog {
  take(line: LineRecord): void;
  /** Lets go what waits. */
  flush(): void;
}

/**
 * Keeps a log that floods short: its beginning goes on as it comes, then its newest lines at a rate that nobody minds.
 * @param mostBytes What the server keeps of a log; null where it has not said so.
 */
export function keepShort(write: (record: LineRecord) => void, mostBytes: number | null): KeptLog {
  let room = roomFor(mostBytes);
  const tail = new LogTail<LineRecord>({
    flushMs: 0,
    bytesOf,
    standIn: ([, time], text) => ['line', time, 'warn', text],
    onLines: (lines) => lines.forEach(write),
  });
  return {
    take(line) {
      room -= bytesOf(line);
      if (room > 0) write(line);
      else tail.add(line);
    },
    flush: () => tail.flush(),
  };
}
