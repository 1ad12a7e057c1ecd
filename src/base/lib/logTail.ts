/** What waits at most; of more, the oldest lines are given up. */
const TAIL_BYTES = 512 * 1024;
/** What leaves on average. */
const BYTES_PER_SECOND = 256 * 1024;

export interface LogTailOptions<Line> {
  /** Lines that go on, in order. One stands for those that were given up before the next. */
  onLines(lines: Line[]): void;
  /** So many lines were given up, and nothing stands for them. */
  onDropped?(count: number): void;
  /** What a line takes where logs are kept. */
  bytesOf(line: Line): number;
  /** The line, with this text, that stands for those that were given up, of which it is given the last. */
  standIn(last: Line, text: string): Line;
  /** A line waits at least this long for others; 0: one goes on at once where the rate allows, and what waits keeps no program from ending. */
  flushMs: number;
}

/** The end of a log that is longer than what is kept of it: its newest lines, no faster than a database easily takes them. */
export class LogTail<Line> {
  /** Two halves, of which the older one is given up as a whole. */
  private older: Line[] = [];
  private newer: Line[] = [];
  private newerBytes = 0;
  private bytes = 0;
  private dropped = 0;
  private lastDropped: Line | null = null;
  private timer: NodeJS.Timeout | null = null;
  private freeAtMs = 0;

  constructor(private readonly options: LogTailOptions<Line>) {}

  add(line: Line): void {
    const size = this.options.bytesOf(line);
    if (this.newer.length > 0 && this.newerBytes + size > TAIL_BYTES / 2) this.turn();
    this.newer.push(line);
    this.newerBytes += size;
    this.bytes += size;
    const { flushMs } = this.options;
    const waitMs = Math.max(flushMs, this.freeAtMs - performance.now());
    if (waitMs <= 0) {
      this.flush();
      return;
    }
    this.timer ??= setTimeout(() => this.flush(), waitMs);
    if (flushMs === 0) this.timer.unref();
  }

  /** Lets go what waits. */
  flush(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    const lines = [...this.older, ...this.newer];
    if (lines.length === 0) return;
    if (this.lastDropped !== null) {
      const text = `… ${this.dropped.toLocaleString('en')} lines are left out here: more was printed than a long log takes`;
      lines.unshift(this.options.standIn(this.lastDropped, text));
    }
    this.freeAtMs = performance.now() + (1000 * this.bytes) / BYTES_PER_SECOND;
    this.older = [];
    this.newer = [];
    this.newerBytes = 0;
    this.bytes = 0;
    this.dropped = 0;
    this.lastDropped = null;
    this.options.onLines(lines);
  }

  private turn(): void {
    const gone = this.older;
    const last = gone.at(-1);
    if (last !== undefined) {
      this.options.onDropped?.(gone.length - (this.lastDropped === null ? 1 : 0));
      this.dropped += gone.length;
      this.lastDropped = last;
    }
    this.older = this.newer;
    this.newer = [];
    this.bytes = this.newerBytes;
    this.newerBytes = 0;
  }
}
