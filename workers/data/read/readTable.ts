import { type Interactions, PARTS } from '../prepare/interactions.ts';
import { badLine, quotedBytes } from './badLine.ts';
import { InteractionRows, NO_RATING } from './interactionRows.ts';
import { countLines, type LineBlock, lineBlocks } from './lineBlocks.ts';
import { isMissing } from './missingValue.ts';
import type { ReadOptions } from './readOptions.ts';
import { type RowCondition, rowCondition } from './rowCondition.ts';
import type { TableColumns } from './tableColumns.ts';
import { dialectOf, separatorWords, type TableDialect, timesNotTaken } from './tableDialect.ts';
import {
  openQuote,
  parseNumber,
  recordEnd,
  splitPlain,
  splitQuotedBytes,
  splitWide,
  type TableFields,
  tableFields,
} from './tableFields.ts';
import type { Understanding } from './understanding.ts';

const [NEWLINE, RETURN, QUOTE] = [10, 13, 34];
const PART_NAMES: readonly string[] = PARTS;

interface State {
  path: string;
  options: ReadOptions;
  rows: InteractionRows;
  dialect: TableDialect;
  fields: TableFields;
  condition: RowCondition | null;
  separator: Buffer;
  /** Records whose quotes enclose line ends. */
  longRecords: number;
}

/** Notes that a field is not what it should be. */
function refuseField(state: State, line: number, column: number, expected: string): void {
  const { bytes, starts, ends } = state.fields;
  const found = quotedBytes(bytes.subarray(starts[column]!, ends[column]!));
  state.rows.bad.add(line, `${found} in column ${column + 1}`, expected);
}

/** Takes in one record whose fields are found. */
function readRecord(state: State, columns: TableColumns, line: number): void {
  const { fields, rows } = state;
  const { bytes, starts, ends } = fields;
  if (fields.count !== columns.count) {
    const expected = `${columns.count} fields, separated by ${separatorWords(columns.separator)}`;
    rows.bad.add(line, `${fields.count} fields`, expected);
    return;
  }
  if (state.condition !== null && !state.condition.isMet((column) => textAt(fields, column))) {
    rows.leftOut++;
    return;
  }
  const { user: userColumn, item: itemColumn, rating: ratingColumn, time: timeColumn } = columns;
  const user = rows.userTable.ofBytes(bytes, starts[userColumn]!, ends[userColumn]!);
  if (user === -1) {
    refuseField(state, line, userColumn, rows.userTable.whyNot('a user', bytesAt(fields, userColumn)));
    return;
  }
  const item = rows.itemTable.ofBytes(bytes, starts[itemColumn]!, ends[itemColumn]!);
  if (item === -1) {
    refuseField(state, line, itemColumn, rows.itemTable.whyNot('an item', bytesAt(fields, itemColumn)));
    return;
  }
  let rating = Number.NaN;
  if (ratingColumn !== null) {
    rating = parseNumber(bytes, starts[ratingColumn]!, ends[ratingColumn]!);
    if (Number.isNaN(rating) && !isMissing(textAt(fields, ratingColumn))) {
      refuseField(state, line, ratingColumn, NO_RATING);
      return;
    }
  }
  let time = 0;
  if (timeColumn !== null) {
    time = rows.times.read(bytes, starts[timeColumn]!, ends[timeColumn]!, line);
    if (Number.isNaN(time)) {
      refuseField(state, line, timeColumn, rows.times.expected);
      return;
    }
  }
  if (columns.part !== undefined) {
    const part = PART_NAMES.indexOf(textAt(fields, columns.part));
    if (part === -1) {
      refuseField(state, line, columns.part, PARTS.join(', '));
      return;
    }
    rows.parts.push(part);
  }
  rows.push(user, item, time, rating, line);
}

function bytesAt({ bytes, starts, ends }: TableFields, column: number): Buffer {
  return bytes.subarray(starts[column]!, ends[column]!);
}

function textAt(fields: TableFields, column: number): string {
  return bytesAt(fields, column).toString('utf8');
}

function split(state: State, bytes: Buffer, start: number, end: number, hasQuotes: boolean): void {
  const { separator, fields } = state;
  if (separator.length > 1) splitWide(bytes, { start, end, separator }, fields);
  else if (hasQuotes) splitQuotedBytes(bytes, { start, end, separator: separator[0]! }, fields);
  else splitPlain(bytes, { start, end, separator: separator[0]! }, fields);
}

const trimmed = (bytes: Buffer, start: number, newline: number): number =>
  newline > start && bytes[newline - 1] === RETURN ? newline - 1 : newline;

/** Reads the records of a block; returns where one begins that ends in the next block. */
function readBlock(state: State, { bytes, firstLine }: LineBlock, isLast: boolean): number {
  const { columns, firstLine: begins, hasHeader } = state.dialect;
  const mayQuote = state.options.quotes !== false && state.separator.length === 1;
  let line = firstLine;
  let nextQuote = mayQuote ? bytes.indexOf(QUOTE) : -1;
  for (let start = 0; start < bytes.length; ) {
    let newline = bytes.indexOf(NEWLINE, start);
    const first = line++;
    if (nextQuote !== -1 && nextQuote < start) nextQuote = bytes.indexOf(QUOTE, start);
    let hasQuotes = nextQuote !== -1 && nextQuote < newline;
    const lineEnd = trimmed(bytes, start, newline);
    const separator = state.separator[0]!;
    const open = hasQuotes ? openQuote(bytes, { start, end: lineEnd, separator }) : -1;
    if (open !== -1) {
      const end = recordEnd(bytes, { newline, open, separator });
      if (end === null && !isLast) return start;
      // a lone quote in a field, as tables of tabs have them: the line is whole without the next
      splitPlain(bytes, { start, end: lineEnd, separator }, state.fields);
      const isWhole = state.fields.count === columns.count && columns.separator === '\t';
      if (end === null || end === -1 || isWhole) hasQuotes = false;
      else {
        line += countLines(bytes.subarray(newline + 1, end + 1));
        newline = end;
        state.longRecords++;
      }
    }
    const end = trimmed(bytes, start, newline);
    if (end > start && (hasHeader ? first > begins : first >= begins)) {
      split(state, bytes, start, end, hasQuotes);
      readRecord(state, columns, first);
    }
    start = newline + 1;
  }
  return bytes.length;
}

function columnWords({ columns, hasHeader }: TableDialect): Understanding['columns'] {
  const words = (column: number | null): string | null => {
    if (column === null) return null;
    return hasHeader ? `${columns.names?.[column]?.trim()} (column ${column + 1})` : `column ${column + 1}`;
  };
  return {
    user: words(columns.user)!,
    item: words(columns.item)!,
    time: words(columns.time),
    rating: words(columns.rating),
  };
}

/** The reader of a table, whose dialect is known. */
function begin(path: string, dialect: TableDialect, options: ReadOptions): State {
  const { columns } = dialect;
  const rows = new InteractionRows(path, options);
  rows.begin({ hasTimes: columns.time !== null, hasRatings: columns.rating !== null });
  const names = columns.names ?? Array.from({ length: columns.count }, (_, column) => String(column + 1));
  return {
    path,
    options,
    rows,
    dialect,
    fields: tableFields(columns.count),
    condition: options.where === undefined ? null : rowCondition(options.where, names),
    separator: Buffer.from(columns.separator),
    longRecords: 0,
  };
}

/**
 * Reads a table with one interaction per line: CSV, TSV, RecBole's `.inter`, or, with `columns` given, any table without a
 * header. Needs a user and an item, and a time or order unless `needsTime` is off. Items and users are numbered by first
 * appearance among the interactions that preprocessing leaves. Throws DATA_ERROR for missing or doubled columns, and, with
 * file, lines and reasons, for a wrong number of fields, missing and negative ids, and times or ratings that are none; a
 * lenient reader skips those lines.
 */
export async function readTable(
  path: string,
  columns: TableColumns | null = null,
  options: ReadOptions = {},
): Promise<Interactions> {
  let state: State | null = null;
  let ahead: LineBlock | null = null;
  let notTaken: string[] = [];
  const readAhead = (block: LineBlock, next: LineBlock | null): LineBlock | null => {
    if (state === null) {
      const dialect = columns === null ? dialectOf(block.bytes, block.firstLine, path, options) : fixed(columns);
      if (dialect === null) return next;
      state = begin(path, dialect, options);
      if (dialect.columns.time === null)
        notTaken = timesNotTaken(block.bytes, block.firstLine, dialect, options.quotes !== false);
    }
    const read = readBlock(state, block, next === null);
    if (read === block.bytes.length || next === null) return next;
    const rest = block.bytes.subarray(read);
    return { bytes: Buffer.concat([rest, next.bytes]), firstLine: next.firstLine - countLines(rest) };
  };
  for await (const block of lineBlocks(path, options)) ahead = ahead === null ? block : readAhead(ahead, block);
  if (ahead !== null) readAhead(ahead, null);
  const done = state as State | null;
  const expected = columns === null ? 'a header line, then one interaction per line' : 'one interaction per line';
  if (done === null) throw badLine(path, 1, 'an empty file', expected);
  const { dialect, longRecords } = done;
  const { separator, timeIsOrder = false } = dialect.columns;
  const long =
    longRecords === 0
      ? []
      : [
          `${longRecords.toLocaleString('en')} records have line ends in quotes; if quotes mean nothing in this file: --no-quotes`,
        ];
  const header = dialect.hasHeader ? 'with a header' : 'without a header';
  return done.rows.finish({
    form: `a table, separated by ${separatorWords(separator)}, ${header} (${dialect.headerReason})`,
    columns: columnWords(dialect),
    timeIsOrder,
    expected,
    notes: [...dialect.notes, ...long, ...notTaken.map((name) => `${UNTAKEN}${name}`)],
  });
}

/** Begins the note on a column that looks like a time and is not taken for one. */
export const UNTAKEN = 'looks like a time: ';

function fixed(columns: TableColumns): TableDialect {
  return { columns, firstLine: 1, hasHeader: false, headerReason: 'as its format says', notes: [] };
}
