import { WarrenError } from '#src/base/contracts/errors.ts';

/** Lines of a file that could not be read. */
export interface SkippedLines {
  count: number;
  /** The first of them, with the reason of each. */
  first: { line: number; reason: string }[];
}

const SHOWN_LINES = 10;
/** A file with so many bad lines is of another format: reading on would find no more. */
const MOST_BAD_LINES = 100_000;

/**
 * Collects the lines of a file that cannot be read. A strict reader ends with `refuseIfAny`; a lenient one goes on with the
 * others and keeps `skipped`.
 */
export class BadLines {
  readonly skipped: SkippedLines = { count: 0, first: [] };
  private readonly path: string;
  private readonly lenient: boolean;

  constructor(path: string, lenient: boolean) {
    this.path = path;
    this.lenient = lenient;
  }

  /** Takes note of a line. Throws DATA_ERROR once there are too many for a file of the right format. */
  add(line: number, found: string, expected: string): void {
    this.skipped.count++;
    if (this.skipped.first.length < SHOWN_LINES) {
      this.skipped.first.push({ line, reason: `found ${found}, expected ${expected}` });
    }
    if (this.skipped.count >= MOST_BAD_LINES) throw this.error('at least ');
  }

  /**
   * Throws DATA_ERROR with the first bad lines and how many more there are, unless the reader is lenient and there are `kept`
   * others to go on with.
   */
  refuseIfAny(kept = Number.POSITIVE_INFINITY): void {
    if (this.skipped.count > 0 && (!this.lenient || kept === 0)) throw this.error('', kept);
  }

  private error(atLeast: string, kept = 0): WarrenError {
    const { count, first } = this.skipped;
    const where = `${this.path}:${first[0]?.line ?? 1}`;
    if (count === 1) {
      const remedy = kept > 0 ? '. Correct the line, or skip it: --lenient' : '';
      return new WarrenError('DATA_ERROR', `${where}: ${first[0]!.reason}${remedy}`, { path: where });
    }
    const lines = first.map(({ line, reason }) => `  ${this.path}:${line}: ${reason}`);
    const rest = count > first.length ? [`  and ${(count - first.length).toLocaleString('en')} more`] : [];
    const remedy =
      kept > 0
        ? '  Correct them, or skip them: --lenient, and for runs --set dataset.lenient=true'
        : '  Skipping them is no remedy: too few others are left';
    const heading = `${this.path}: ${atLeast}${count.toLocaleString('en')} lines cannot be read:`;
    return new WarrenError('DATA_ERROR', [heading, ...lines, ...rest, remedy].join('\n'), { path: where });
  }
}
