/** The fields of one line, as places in `bytes`; `count` may exceed what `starts` and `ends` can hold. */
export interface TableFields {
  bytes: Buffer;
  /** (columns) */
  starts: Int32Array;
  /** (columns) */
  ends: Int32Array;
  count: number;
}

export function tableFields(columns: number): TableFields {
  return { bytes: Buffer.alloc(0), starts: new Int32Array(columns), ends: new Int32Array(columns), count: 0 };
}

/** Splits `bytes[start .. end)` at each byte `separator`. */
export function splitPlain(
  bytes: Buffer,
  range: { start: number; end: number; separator: number },
  to: TableFields,
): void {
  const { start, end, separator } = range;
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

/** Splits `bytes[start .. end)` at each `::`, the separator of MovieLens. */
export function splitDoubleColon(bytes: Buffer, range: { start: number; end: number }, to: TableFields): void {
  const { start, end } = range;
  const colon = 58;
  to.bytes = bytes;
  let count = 0;
  let fieldStart = start;
  for (let at = start; at <= end; at++) {
    if (at < end && (bytes[at] !== colon || at + 1 >= end || bytes[at + 1] !== colon)) continue;
    if (count < to.starts.length) {
      to.starts[count] = fieldStart;
      to.ends[count] = at;
    }
    count++;
    fieldStart = at + 2;
    at++;
  }
  to.count = count;
}

/**
 * Splits a line with quoted fields: `"` around a field hides separators, `""` in it is one quote; inside a field that does
 * not begin with one, a quote is a quote.
 */
export function splitQuoted(line: string, separator: string, to: TableFields): void {
  const texts: string[] = [''];
  let quoted = false;
  for (let at = 0; at < line.length; at++) {
    const character = line[at]!;
    if (character === '"' && quoted && line[at + 1] === '"') {
      texts[texts.length - 1] += '"';
      at++;
    } else if (character === '"' && (quoted || texts.at(-1) === '')) quoted = !quoted;
    else if (character === separator && !quoted) texts.push('');
    else texts[texts.length - 1] += character;
  }
  const buffers = texts.map((text) => Buffer.from(text, 'utf8'));
  to.bytes = Buffer.concat(buffers);
  to.count = buffers.length;
  let start = 0;
  for (const [column, buffer] of buffers.slice(0, to.starts.length).entries()) {
    to.starts[column] = start;
    start += buffer.length;
    to.ends[column] = start;
  }
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
