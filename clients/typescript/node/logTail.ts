import type { JournalRecord } from '../core/records.ts';

type LineRecord = Extract<JournalRecord, ['line', ...unknown[]]>;

/** What a line takes at the server beside its text. */
const BYTES_BESIDE_TEXT = 100;
/** What waits at most; of more, the oldest lines are given up. */
const TAIL_BYTES = 512 * 1024;
/** What leaves on average once the log is long. */
const BYTES_PER_SECOND = 256 * 1024;

/** What the log of a run takes: WARREN_LOG_MB, 64 MiB without it. */
function logBytes(): number {
  const given = process.env.WARREN_LOG_MB ?? '';
  return (/^[1-9]\d*$/.test(given) ? Number(given) : 64) * 2 ** 20;
}

/** Keeps a log that floods short: its beginning goes on as it comes, then its newest lines at a rate that nobody minds. */
export class LogTail {
  private room = logBytes();
  /** Two halves, of which the older one is given up as a whole. */
  private older: LineRecord[] = [];
  private newer: LineRecord[] = [];
  private newerBytes = 0;
  private bytes = 0;
  private dropped = 0;
  private freeAtMs = 0;
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly write: (record: LineRecord) => void) {}

  take(record: LineRecord): void {
    const size = record[3].length + BYTES_BESIDE_TEXT;
    this.room -= size;
    if (this.room > 0) {
      this.write(record);
      return;
    }
    if (this.newer.length > 0 && this.newerBytes + size > TAIL_BYTES / 2) {
      this.dropped += this.older.length;
      this.older = this.newer;
      this.bytes = this.newerBytes;
      this.newer = [];
      this.newerBytes = 0;
    }
    this.newer.push(record);
    this.newerBytes += size;
    this.bytes += size;
    const nowMs = performance.now();
    if (nowMs >= this.freeAtMs) this.flush();
    else this.timer ??= setTimeout(() => this.flush(), this.freeAtMs - nowMs).unref();
  }

  /** Lets go what waits. */
  flush(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    const [dropped, lines] = [this.dropped, [...this.older, ...this.newer]];
    this.freeAtMs = performance.now() + (1000 * this.bytes) / BYTES_PER_SECOND;
    this.older = [];
    this.newer = [];
    this.newerBytes = 0;
    this.bytes = 0;
    this.dropped = 0;
    const [first] = lines;
    if (dropped > 0 && first !== undefined) {
      const text = `… ${dropped.toLocaleString('en')} lines are left out here: more was printed than a long log takes`;
      this.write(['line', first[1], 'warn', text]);
    }
    for (const line of lines) this.write(line);
  }
}
