/** The fields of one line, as places in `bytes`; `count` may exceed what `starts` and `ends` can hold. */
export interface TableFields {
  bytes: Buffer;
  /** (columns) */
  starts: Int32Array;
  /** (columns) */
  ends: Int32Array;
  count: number;
}

interface Range {
  start: number;
  end: number;
}

const [NEWLINE, RETURN, QUOTE, SPACE, BACKSLASH] = [10, 13, 34, 32, 92];

export function tableFields(columns: number): TableFields {
  return { bytes: Buffer.alloc(0), starts: new Int32Array(columns), ends: new Int32Array(columns), count: 0 };
}

/** Takes the bytes of a line, whose fields follow. */
function begin(to: TableFields, bytes: Buffer): void {
  to.bytes = bytes;
  to.count = 0;
}

function add(to: TableFields, start: number, end: number): void {
  if (to.count < to.starts.length) {
    to.starts[to.count] = start;
    to.ends[to.count] = end;
  }
  to.count++;
}

/** Splits `bytes[start .. end)` at each byte `separator`; blanks separate as runs, and those around the line do not count. */
export function splitPlain(bytes: Buffer, range: Range & { separator: number }, to: TableFields): void {
  const { start, end, separator } = range;
  if (separator === SPACE) {
    splitBlanks(bytes, range, to);
    return;
  }
  to.bytes = bytes;
  let count = 0;
  let fieldStart = start;
  for (let at = start; at <= end; at++) {
    if (at < end && bytes[at] !== separator) continue;
    if (count < to.starts.length) {
      to.starts[count] = fieldStart;
      to.ends[count] = at;
    }
    count++;
    fieldStart = at + 1;
  }
  to.count = count;
}

function splitBlanks(bytes: Buffer, { start, end }: Range, to: TableFields): void {
  begin(to, bytes);
  for (let at = start; at < end; ) {
    while (at < end && (bytes[at] === SPACE || bytes[at] === 9)) at++;
    const fieldStart = at;
    while (at < end && bytes[at] !== SPACE && bytes[at] !== 9) at++;
    if (at > fieldStart) add(to, fieldStart, at);
  }
}

/** Splits `bytes[start .. end)` at each place of a separator of several bytes, such as the `::` of MovieLens. */
export function splitWide(
  bytes: Buffer,
  { start, end, separator }: Range & { separator: Buffer },
  to: TableFields,
): void {
  begin(to, bytes);
  for (let from = start; ; ) {
    const found = bytes.indexOf(separator, from);
    const at = found === -1 || found + separator.length > end ? end : found;
    add(to, from, at);
    if (at === end) return;
    from = at + separator.length;
  }
}

/** Whether a quote at `at` ends its field: a separator or the end of the line follows. */
function endsField(bytes: Buffer, at: number, end: number, separator: number): boolean {
  return at + 1 >= end || bytes[at + 1] === separator;
}

/**
 * The quote that closes the field which begins with one at `start`: null where the line ends before, -1 where it is followed by
 * text, so that the quotes are part of the field.
 */
function closingQuote(bytes: Buffer, { start, end, separator }: Range & { separator: number }): number | null {
  for (let at = bytes.indexOf(QUOTE, start + 1); at !== -1 && at < end; at = bytes.indexOf(QUOTE, at + 1)) {
    if (endsField(bytes, at, end, separator)) return at;
    if (bytes[at + 1] === QUOTE) at++;
    else if (bytes[at - 1] !== BACKSLASH) return -1;
  }
  return null;
}

/** Where a quoted field begins that the line `bytes[start .. end)` leaves open, so that the next line belongs to it; -1 where none is. */
export function openQuote(bytes: Buffer, range: Range & { separator: number }): number {
  const { start, end, separator } = range;
  for (let at = start; at < end; ) {
    if (bytes[at] === QUOTE) {
      const closing = closingQuote(bytes, { start: at, end, separator });
      if (closing === null) return at;
      if (closing !== -1) at = closing;
    }
    const next = bytes.indexOf(separator, at);
    if (next === -1 || next >= end) return -1;
    at = next + 1;
  }
  return -1;
}

/** A field in quotes that goes on for longer is none: its quote is one by mistake. */
const LONGEST_RECORD_BYTES = 4 << 20;

/**
 * The newline that ends a record, whose first line ends at `newline` and leaves the quote at `open` open. -1 where the quote is part
 * of a text, so that the record is that line alone; null where the record does not end in these bytes.
 */
export function recordEnd(
  bytes: Buffer,
  { newline, open, separator }: { newline: number; open: number; separator: number },
): number | null {
  let [end, begins] = [newline, open];
  for (;;) {
    end = bytes.indexOf(NEWLINE, end + 1);
    if (end === -1) return null;
    if (end - open > LONGEST_RECORD_BYTES) return -1;
    // the line end of Windows is none of the record's
    const last = bytes[end - 1] === RETURN ? end - 1 : end;
    const closing = closingQuote(bytes, { start: begins, end: last, separator });
    if (closing === -1) return -1;
    if (closing === null) continue;
    begins = openQuote(bytes, { start: closing + 1, end: last, separator });
    if (begins === -1) return end;
  }
}

/**
 * Splits a record with quoted fields: `"` around a field hides separators and line ends, `""` and `\"` in it are one quote.
 * A field whose quotes do not enclose all of it is taken as it stands.
 */
export function splitQuotedBytes(bytes: Buffer, range: Range & { separator: number }, to: TableFields): void {
  const { start, end, separator } = range;
  begin(to, bytes);
  let hasEscapes = false;
  for (let at = start; at <= end; ) {
    let fieldEnd = -1;
    if (bytes[at] === QUOTE && at < end) {
      const closing = closingQuote(bytes, { start: at, end, separator });
      if (closing !== null && closing !== -1) {
        fieldEnd = closing;
        const inner = bytes.indexOf(QUOTE, at + 1);
        hasEscapes ||= inner < closing;
        add(to, at + 1, closing);
      }
    }
    if (fieldEnd === -1) {
      const next = bytes.indexOf(separator, at);
      fieldEnd = next === -1 || next > end ? end : next;
      add(to, at, fieldEnd);
      at = fieldEnd + 1;
    } else at = fieldEnd + 2;
  }
  if (hasEscapes) unescapeFields(to, bytes);
}

/** Puts fields with `""` or `\"` in their place into bytes of their own. */
function unescapeFields(to: TableFields, bytes: Buffer): void {
  const parts: Buffer[] = [];
  let length = 0;
  for (let column = 0; column < Math.min(to.count, to.starts.length); column++) {
    const [start, end] = [to.starts[column]!, to.ends[column]!];
    let part = bytes.subarray(start, end);
    if (start > 0 && bytes[start - 1] === QUOTE && part.includes(QUOTE)) {
      part = Buffer.from(part.toString('latin1').replace(/""|\\"/g, '"'), 'latin1');
    }
    parts.push(part);
    to.starts[column] = length;
    length += part.length;
    to.ends[column] = length;
  }
  to.bytes = Buffer.concat(parts);
}

/** As `splitQuotedBytes`, of a text. */
export function splitQuoted(line: string, separator: string, to: TableFields): void {
  const bytes = Buffer.from(line);
  splitQuotedBytes(bytes, { start: 0, end: bytes.length, separator: separator.charCodeAt(0) }, to);
}

/** The finite decimal number in `bytes[start .. end)`, or NaN. */
export function parseNumber(bytes: Buffer, start: number, end: number): number {
  let value = 0;
  let at = start;
  for (; at < end; at++) {
    const digit = bytes[at]! - 48;
    if (digit < 0 || digit > 9) break;
    value = value * 10 + digit;
  }
  if (at === end && end > start && end - start <= 15) return value;
  const text = bytes.toString('latin1', start, end).trim();
  const number = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : Number.NaN;
}
