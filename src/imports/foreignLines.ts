import { isUtf8 } from 'node:buffer';
import { Transform } from 'node:stream';

/** Lines of a file that are no UTF-8. */
export interface ForeignLines {
  /** Number of the first one, from 1; null where there is none. */
  first: number | null;
  count: number;
}

/** What begins with it is UTF-16, which readers know by it. */
const UTF_16_MARK = Buffer.from([0xff, 0xfe]);
/** Bytes of a line that is looked at; of a longer one only the beginning is held. */
const LONGEST_LINE = 1 << 24;
const LINE_FEED = 10;

/** Passes bytes on as they are, and notes in `lines` which lines are no UTF-8: no letter of it holds a line feed within. */
export function noteForeignLines(lines: ForeignLines): Transform {
  let begun: Buffer[] = [];
  let held = 0;
  let number = 1;
  let isKnown = false;
  const look = (line: Buffer): void => {
    if (!isUtf8(line)) {
      lines.first ??= number;
      lines.count++;
    }
  };
  const take = (chunk: Buffer): void => {
    const end = chunk.lastIndexOf(LINE_FEED);
    if (end >= 0) {
      const whole = Buffer.concat([...begun, chunk.subarray(0, end + 1)]);
      const isFine = isUtf8(whole);
      for (let from = 0; from < whole.length; number++) {
        const next = whole.indexOf(LINE_FEED, from) + 1;
        if (!isFine) look(whole.subarray(from, next));
        from = next;
      }
      begun = [];
      held = 0;
    }
    const rest = chunk.subarray(end + 1);
    if (held < LONGEST_LINE) begun.push(Buffer.from(rest));
    held += rest.length;
  };
  return new Transform({
    transform(chunk: Buffer, _, done) {
      if (number === 1 && begun.length === 0) isKnown = chunk.subarray(0, 2).equals(UTF_16_MARK);
      if (!isKnown) take(chunk);
      done(null, chunk);
    },
    flush(done) {
      if (held < LONGEST_LINE) look(Buffer.concat(begun));
      done();
    },
  });
}

/** What is said of them; null where all is UTF-8. */
export function foreignWarning(path: string, { first, count }: ForeignLines): string | null {
  if (first === null) return null;
  const others = count === 1 ? '' : ` and ${(count - 1).toLocaleString('en')} more`;
  const lost = 'what is no UTF-8 there is kept as "\uFFFD"';
  return `${path}: line ${first}${others}: ${lost}; expected UTF-8: \`iconv -f latin1 -t utf-8\` makes it of Latin-1`;
}
