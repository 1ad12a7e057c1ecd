import { WarrenError } from '#src/base/contracts/errors.ts';
import { badLine } from './badLine.ts';
import { isMissing } from './missingValue.ts';
import type { ReadOptions } from './readOptions.ts';
import { type ColumnMapping, findColumns, isKnownName, isPlace, type TableColumns } from './tableColumns.ts';
import { countLines } from './lineBlocks.ts';
import { openQuote, recordEnd, splitPlain, splitQuotedBytes, splitWide, tableFields } from './tableFields.ts';
import { formsOf, unitOf } from './timeForms.ts';

/** A record of the beginning of a table: the text of its line, or of its lines where quotes enclose line ends. */
export interface SampleRecord {
  bytes: Buffer;
  line: number;
}

/** How a table is written. */
export interface TableDialect {
  columns: TableColumns;
  /** Line of the header, or of the first record where there is none. */
  firstLine: number;
  hasHeader: boolean;
  /** Why that was taken for it. */
  headerReason: string;
  /** What a person should know of it. */
  notes: string[];
}

const SEPARATORS = ['\t', '::', ',', ';', '|', ' '] as const;
const SAMPLE_RECORDS = 200;
const ASIN = /^(B[0-9A-Z]{9}|\d{9}[\dX])$/;
const REVIEWER = /^A[0-9A-Z]{9,25}$/;
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

const NAMES_OF_SEPARATORS: Readonly<Record<string, string>> = {
  ...{ '\t': 'tabs', ',': 'commas', ';': 'semicolons', ' ': 'blanks', '::': 'double colons', '|': 'vertical bars' },
};

/** A separator in words. */
export function separatorWords(separator: string): string {
  return NAMES_OF_SEPARATORS[separator] ?? JSON.stringify(separator);
}

/** The fields of a record as text. */
export function fieldTexts(record: Buffer, separator: string, quotes: boolean): string[] {
  const to = tableFields(4096);
  const range = { start: 0, end: record.length };
  if (separator.length > 1 || Buffer.byteLength(separator) > 1)
    splitWide(record, { ...range, separator: Buffer.from(separator) }, to);
  else if (quotes && record.includes(34))
    splitQuotedBytes(record, { ...range, separator: separator.charCodeAt(0) }, to);
  else splitPlain(record, { ...range, separator: separator.charCodeAt(0) }, to);
  return Array.from({ length: Math.min(to.count, to.starts.length) }, (_, column) =>
    to.bytes.toString('utf8', to.starts[column], to.ends[column]),
  );
}

/** The first records of a block of lines that a separator cuts, without empty lines. */
function recordsOf(block: Buffer, firstLine: number, separator: string, quotes: boolean): SampleRecord[] {
  const records: SampleRecord[] = [];
  const byte = separator.charCodeAt(0);
  let line = firstLine;
  for (let start = 0; start < block.length && records.length < SAMPLE_RECORDS; ) {
    let newline = block.indexOf(10, start);
    if (newline === -1) break;
    const first = line++;
    const lineEnd = newline > start && block[newline - 1] === 13 ? newline - 1 : newline;
    const open = quotes && separator.length === 1 ? openQuote(block, { start, end: lineEnd, separator: byte }) : -1;
    const last = open === -1 ? -1 : (recordEnd(block, { newline, open, separator: byte }) ?? -1);
    if (last !== -1) {
      line += countLines(block.subarray(newline + 1, last + 1));
      newline = last;
    }
    const end = newline > start && block[newline - 1] === 13 ? newline - 1 : newline;
    if (end > start) records.push({ bytes: block.subarray(start, end), line: first });
    start = newline + 1;
  }
  return records;
}

/** The separator that cuts the records into the same number of fields, or the first that is in most of them. */
function findSeparator(block: Buffer, firstLine: number, quotes: boolean): string {
  const judged = SEPARATORS.map((separator) => {
    const counts = recordsOf(block, firstLine, separator, quotes).map(
      ({ bytes }) => fieldTexts(bytes, separator, quotes).length,
    );
    const usual = counts[Math.min(1, counts.length - 1)] ?? 1;
    const alike = counts.filter((count) => count === usual).length;
    return { separator, usual, share: counts.length === 0 ? 0 : alike / counts.length };
  }).filter(({ usual }) => usual >= 2);
  const even = judged.find(({ share }) => share === 1) ?? judged.find(({ share }) => share >= 0.9);
  return (even ?? judged.sort((a, b) => b.share - a.share)[0])?.separator ?? ',';
}

type Type = 'number' | 'time' | 'text' | 'missing';

function typeOf(text: string): Type {
  if (isMissing(text)) return 'missing';
  if (NUMBER.test(text.trim())) return 'number';
  return formsOf(text).length > 0 ? 'time' : 'text';
}

/** Whether a text is a time on the face of it: a date, or a number that is one of our days. */
export function looksLikeTime(text: string): boolean {
  const type = typeOf(text);
  return type === 'time' || (type === 'number' && unitOf(Number(text)) !== null && Number.isInteger(Number(text)));
}

const isRating = (text: string): boolean =>
  isMissing(text) || (NUMBER.test(text.trim()) && Math.abs(Number(text)) <= 100);

/** Whether the first row is a header, and why; null where neither can be told. */
function judgeHeader(
  rows: readonly string[][],
  mapping: ColumnMapping,
  asked: boolean | undefined,
): [boolean, string] | null {
  const [first = [], ...others] = rows;
  if (asked !== undefined) return [asked, 'as it was said'];
  const wanted = Object.values(mapping).filter((name: string) => name !== 'none');
  if (wanted.some((name) => !isPlace(name))) return [true, 'the map names columns'];
  const isTyped = first.some((name) => /:(token|float|token_seq|float_seq)$/i.test(name.trim()));
  const known = first.filter(isKnownName).length;
  if (isTyped || known >= 2) return [true, 'its first line has names of columns'];
  const types = first.map(typeOf);
  // columns of numbers or times in which the first value alone is text: all of these values are names
  const typed = types.flatMap((_, column) =>
    others.length > 0 && others.every((row) => ['number', 'time'].includes(typeOf(row[column] ?? ''))) ? [column] : [],
  );
  const unlike =
    typed.some((column) => types[column] === 'text') &&
    typed.every((column) => types[column] === 'text' || types[column] === 'missing');
  if (known === 1 && types.every((type) => type === 'text' || type === 'missing'))
    return [true, 'its first line has names of columns'];
  if (unlike) return [true, 'its first line cannot be data'];
  if (wanted.length > 0) return [false, 'the map has places alone'];
  const isData = types.some((type) => type === 'number' || type === 'time');
  return isData ? [false, 'its first line is data'] : null;
}

/** Whether the lines begin with names of rows, all different, for which R writes no name of a column. */
function hasRowNames([header = [], ...rows]: readonly string[][]): boolean {
  const names = new Set(rows.map(([name]) => name));
  return rows.length > 1 && names.size === rows.length && rows.every((row) => row.length === header.length + 1);
}

/** `1 "5", 2 "1037"`: a row with its places. */
function placed(row: readonly string[]): string {
  const short = (text: string): string => JSON.stringify(text.length > 24 ? `${text.slice(0, 24)}…` : text);
  return row.map((text, column) => `${column + 1} ${short(text)}`).join(', ');
}

/** Columns of a file without a header and without a map: the usual layouts alone are taken, and said. */
function usualColumns(
  rows: readonly string[][],
  { path, line, time }: { path: string; line: number; time: ReadOptions['time'] },
): ColumnMapping {
  const [first = []] = rows;
  const all = (column: number, is: (text: string) => boolean): boolean =>
    rows.every((row) => row[column] !== undefined && is(row[column]));
  const isUser = !all(0, looksLikeTime);
  if (first.length === 4 && isUser && !all(1, looksLikeTime) && all(2, isRating) && all(3, looksLikeTime)) {
    // Amazon's ratings of 2018 have the item first, those of 2014 the user: its ids tell
    const isTurned = all(0, (text) => ASIN.test(text)) && all(1, (text) => REVIEWER.test(text));
    return isTurned
      ? { user: '2', item: '1', rating: '3', time: '4' }
      : { user: '1', item: '2', rating: '3', time: '4' };
  }
  if (first.length === 3 && isUser && !all(1, looksLikeTime) && all(2, looksLikeTime))
    return { user: '1', item: '2', time: '3' };
  if (first.length === 2 && time !== undefined) return { user: '1', item: '2' };
  const times = first.flatMap((_, column) => (all(column, looksLikeTime) ? [column + 1] : []));
  const example = `--map user=PLACE,item=PLACE${times[0] === undefined ? '' : `,time=${times[0]}`}`;
  const hint =
    times.length === 0
      ? 'no column looks like a time: then also --time line, where the lines are in order, or --time none'
      : `column ${times.join(' and ')} looks like a time`;
  const where = `${path}:${line}`;
  throw new WarrenError(
    'DATA_ERROR',
    `${where}: the table has no header, and its columns are of no usual layout: ${placed(first)}. Say by their places what they are, as in ${example} (${hint}); if the first line names the columns: --header`,
    { path: where },
  );
}

/**
 * Finds out how a table is written from its first block of lines: the separator, whether it has a header, and where user, item,
 * time and rating are. Nothing is taken that the options contradict. Throws DATA_ERROR that says what to choose where columns
 * cannot be told.
 */
export function dialectOf(block: Buffer, firstLine: number, path: string, options: ReadOptions): TableDialect | null {
  const { mapping = {}, quotes = true, time } = options;
  const separator = options.separator ?? findSeparator(block, firstLine, quotes);
  const notes: string[] = [];
  let records = recordsOf(block, firstLine, separator, quotes);
  // comments of network files and of other programs stand before the table
  const comments = records.findIndex(({ bytes }) => bytes[0] !== 37 && bytes[0] !== 35);
  if (comments > 0) {
    const before = records[comments - 1]!;
    const named = fieldTexts(before.bytes.subarray(1), separator, quotes);
    const isHeader = named.filter(isKnownName).length >= 2;
    records = records.slice(comments - Number(isHeader));
    if (isHeader) records[0] = { ...before, bytes: before.bytes.subarray(1) };
    notes.push(
      `the first ${comments - Number(isHeader)} lines are comments`.replace(
        'the first 0 lines are comments',
        'the header begins like a comment',
      ),
    );
  }
  const [first] = records;
  if (first === undefined) return null;
  const rows = records.map(({ bytes }) => fieldTexts(bytes, separator, quotes));
  const judged = judgeHeader(rows, mapping, options.header);
  if (judged === null || judged[0]) {
    let shown = rows[0]!;
    if (shown.length === 1)
      throw badLine(
        path,
        first.line,
        `one column: ${placed(shown)}`,
        'a user and an item at least. What stands between the columns: --separator',
      );
    if (hasRowNames(rows)) {
      notes.push('the lines have one field more than the header: the first is taken for the name of the row');
      shown = ['', ...shown];
    }
    const columns = { ...findColumns(shown, path, options, first.line), separator };
    const [hasHeader, headerReason] = judged ?? [true, 'its first line is text'];
    return { columns, firstLine: first.line, hasHeader, headerReason, notes };
  }
  const [, headerReason] = judged;
  const width = rows[0]!.length;
  if (width === 1)
    throw badLine(
      path,
      first.line,
      `one column: ${placed(rows[0]!)}`,
      'a user and an item at least. What stands between the columns: --separator',
    );
  const isMapped = mapping.user !== undefined && mapping.item !== undefined;
  const placesOf =
    isMapped || Object.keys(mapping).length > 0 ? mapping : usualColumns(rows, { path, line: first.line, time });
  if (!isMapped && placesOf === mapping) {
    throw badLine(
      path,
      first.line,
      `a table without a header: ${placed(rows[0]!)}`,
      'a map that says both: --map user=1,item=2',
    );
  }
  if (placesOf !== mapping)
    notes.push(
      `the columns were taken as in files of this shape: user ${placesOf.user}, item ${placesOf.item} of ${placed(rows[0]!)}; if that is wrong: --map`,
    );
  const placeOf = (asked: string | undefined, what: string): number | null => {
    if (asked === undefined || asked === 'none') return null;
    if (!isPlace(asked))
      throw badLine(
        path,
        first.line,
        'a table without a header',
        `a place for ${what}, counted from 1, not "${asked}"`,
      );
    if (Number(asked) < 1 || Number(asked) > width) {
      throw badLine(
        path,
        first.line,
        `${width} columns, separated by ${separatorWords(separator)}`,
        `a column ${asked}, as the map says for ${what}. Another separator: --separator`,
      );
    }
    return Number(asked) - 1;
  };
  const columns: TableColumns = {
    user: placeOf(placesOf.user, 'user')!,
    item: placeOf(placesOf.item, 'item')!,
    time: time === undefined ? placeOf(placesOf.time, 'time') : null,
    rating: placeOf(placesOf.rating, 'rating'),
    count: width,
    separator,
  };
  if (columns.time === null && time === undefined && options.needsTime !== false) {
    throw badLine(
      path,
      first.line,
      `a table without a header: ${placed(rows[0]!)}`,
      'a time in the map: --map …,time=3; without one: --time line or --time none',
    );
  }
  return { columns, firstLine: first.line, hasHeader: false, headerReason, notes };
}

/** Columns, by name or place, that look like a time in the first rows and are none of those that are taken. */
export function timesNotTaken(block: Buffer, firstLine: number, dialect: TableDialect, quotes: boolean): string[] {
  const { columns, hasHeader } = dialect;
  const rows = recordsOf(block, firstLine, columns.separator, quotes)
    .filter(({ line }) => !hasHeader || line > dialect.firstLine)
    .map(({ bytes }) => fieldTexts(bytes, columns.separator, quotes));
  if (rows.length === 0) return [];
  const taken = [columns.user, columns.item, columns.rating];
  return Array.from({ length: columns.count }, (_, column) => column)
    .filter(
      (column) =>
        !taken.includes(column) && rows.every((row) => row[column] !== undefined && looksLikeTime(row[column])),
    )
    .map((column) => columns.names?.[column] ?? String(column + 1));
}
