import { BYTES_BESIDE_TEXT, LOG_BYTES, type LogLevel, type Report } from '#src/base/contracts/reports.ts';
import { storableText } from '../shared/storableText.ts';
import { LogTail } from '#src/base/lib/logTail.ts';

const LONGEST_LINE = 20_000;
/** What the database can count. */
const LAST_LINE = 2_000_000_000;
const LONGEST_MESSAGE = 500;

export interface ReportStreamOptions {
  send(sequence: number, reports: Report[]): void;
  /** `count` reports are safe in the database, or were dropped as superseded. */
  onSafe(count: number): void;
  /** A report waits at most this long for others. Raising it makes fewer, larger transactions and later charts. */
  flushMs?: number;
  batchSize?: number;
  /** Batches that may be under way unacknowledged; more wait here. */
  credit?: number;
}

/**
 * The ordered stream of one attempt's reports: numbers log lines, cuts batches, keeps at most `credit` of them
 * unacknowledged. Batches carry sequence numbers from 0 and are acknowledged in any order.
 */
interface TailLine {
  line: number;
  level: LogLevel;
  text: string;
  timeMs: number;
}

export class ReportStream {
  private waiting: Report[] = [];
  private readonly unacknowledged = new Map<number, number>();
  private nextSequence = 0;
  private nextLine = 0;
  /** What may still be logged before only the end of the log goes on. */
  private logRoom = LOG_BYTES;
  private readonly tail: LogTail<TailLine>;
  private timer: NodeJS.Timeout | null = null;
  /** What waits goes as soon as there is credit, even when it is less than a batch. */
  private flushing = false;
  private readonly watchers: (() => void)[] = [];

  constructor(private readonly options: ReportStreamOptions) {
    this.tail = new LogTail({
      flushMs: options.flushMs ?? 250,
      onLines: (lines) => {
        for (const line of lines) this.pushLine(line);
      },
      onDropped: (count) => this.options.onSafe(count),
      bytesOf: ({ text }) => text.length + BYTES_BESIDE_TEXT,
      standIn: (last, text) => ({ ...last, level: 'warn', text }),
    });
  }

  /** What the log of the attempt takes at most: of what is logged beyond, the newest lines go on. */
  limitLog(bytes: number): void {
    this.logRoom = bytes;
  }

  push(report: Report): void {
    if (report.type === 'progress') {
      report = { ...report, message: storableText(report.message, LONGEST_MESSAGE) };
      const last = this.waiting.at(-1);
      if (last?.type === 'progress') {
        this.waiting[this.waiting.length - 1] = report;
        this.options.onSafe(1);
        return;
      }
    }
    this.waiting.push(report);
    const { flushMs = 250, batchSize = 1000 } = this.options;
    if (this.waiting.length >= batchSize) this.send(this.flushing);
    this.timer ??= setTimeout(() => this.send(true), flushMs);
  }

  log(level: LogLevel, text: string, timeMs: number): void {
    if (this.nextLine > LAST_LINE) {
      this.options.onSafe(1);
      return;
    }
    const line = { line: this.nextLine++, level, text, timeMs };
    this.logRoom -= text.length + BYTES_BESIDE_TEXT;
    if (this.logRoom > 0) this.pushLine(line);
    else this.tail.add(line);
  }

  private pushLine({ text, ...line }: TailLine): void {
    this.push({ type: 'log', ...line, text: storableText(text, LONGEST_LINE) });
  }

  acknowledge(sequence: number): void {
    const count = this.unacknowledged.get(sequence);
    if (count === undefined) return;
    this.unacknowledged.delete(sequence);
    this.options.onSafe(count);
    this.send(this.flushing);
  }

  /** Resolves when every report has been sent, which needs acknowledgements only while the credit is used up. */
  async flush(): Promise<void> {
    this.tail.flush();
    this.flushing = true;
    this.send(true);
    while (this.waiting.length > 0) await new Promise<void>((resolve) => this.watchers.push(resolve));
  }

  /** Resolves when every batch that was sent has been acknowledged. */
  async settled(): Promise<void> {
    while (this.unacknowledged.size > 0) await new Promise<void>((resolve) => this.watchers.push(resolve));
  }

  /** Sends whole batches, and with `partial` the rest too, as far as the credit goes. */
  private send(partial: boolean): void {
    const { batchSize = 1000, credit = 50 } = this.options;
    if (partial && this.timer !== null) {
      clearTimeout(this.timer);
      this.timer = null;
    }
    while (this.unacknowledged.size < credit && this.waiting.length >= (partial ? 1 : batchSize)) {
      const reports = this.waiting.splice(0, batchSize);
      const sequence = this.nextSequence++;
      this.unacknowledged.set(sequence, reports.length);
      this.options.send(sequence, reports);
    }
    this.flushing = partial && this.waiting.length > 0;
    if (this.waiting.length === 0) {
      for (const resolve of this.watchers.splice(0)) resolve();
    }
  }
}
