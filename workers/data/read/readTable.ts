import { badLine, quotedBytes } from './badLine.ts';
import { BadLines } from './badLines.ts';
import { GrowableFloat32, GrowableFloat64, GrowableUint32 } from './growableArray.ts';
import { IdTable } from './idTable.ts';
import type { Interactions } from '../prepare/interactions.ts';
import { lineBlocks } from './lineBlocks.ts';
import type { ReadOptions } from './readOptions.ts';
import { columnsOfHeader, type TableColumns } from './tableColumns.ts';
import {
  parseNumber,
  splitDoubleColon,
  splitPlain,
  splitQuoted,
  type TableFields,
  tableFields,
} from './tableFields.ts';

const NEWLINE = 10;
const RETURN = 13;
const QUOTE = 34;
const SEPARATOR_NAMES = { '\t': 'tabs', ',': 'commas', ';': 'semicolons', ' ': 'spaces', '::': 'double colons' };

interface State {
  path: string;
  options: ReadOptions;
  bad: BadLines;
  columns: TableColumns | null;
  fields: TableFields;
  users: GrowableUint32;
  items: GrowableUint32;
  times: GrowableFloat64;
  ratings: GrowableFloat32;
  userTable: IdTable;
  itemTable: IdTable;
}

/** Notes that a field is not what it should be. */
function refuseField(state: State, line: number, column: number, expected: string): null {
  const { bytes, starts, ends } = state.fields;
  const found = quotedBytes(bytes.subarray(starts[column]!, ends[column]!));
  state.bad.add(line, `${found} in column ${column + 1}`, expected);
  return null;
}

/** Takes in one line whose fields are found; null where it is bad. */
function readLine(state: State, columns: TableColumns, line: number): true | null {
  const { fields } = state;
  const { bytes, starts, ends } = fields;
  if (fields.count !== columns.count) {
    const expected = `${columns.count} fields, separated by ${SEPARATOR_NAMES[columns.separator]}`;
    state.bad.add(line, `${fields.count} fields`, expected);
    return null;
  }
  const user = state.userTable.ofBytes(bytes, starts[columns.user]!, ends[columns.user]!);
  if (user === -1) return refuseField(state, line, columns.user, 'the id of a user, in UTF-8');
  const item = state.itemTable.ofBytes(bytes, starts[columns.item]!, ends[columns.item]!);
  if (item === -1) return refuseField(state, line, columns.item, 'the id of an item, in UTF-8');
  let rating = Number.NaN;
  if (columns.rating !== null) {
    rating = parseNumber(bytes, starts[columns.rating]!, ends[columns.rating]!);
    if (Number.isNaN(rating)) return refuseField(state, line, columns.rating, 'a number (rating)');
  }
  if (columns.time !== null) {
    const time = parseNumber(bytes, starts[columns.time]!, ends[columns.time]!);
    if (Number.isNaN(time)) return refuseField(state, line, columns.time, 'a number (time or order)');
    state.times.push(time);
  }
  if (columns.rating !== null) state.ratings.push(rating);
  state.users.push(user);
  state.items.push(item);
  return true;
}

function splitLine(state: State, columns: TableColumns, line: { bytes: Buffer; start: number; end: number }): void {
  const { bytes, start, end } = line;
  if (columns.separator === '::') splitDoubleColon(bytes, { start, end }, state.fields);
  else splitPlain(bytes, { start, end, separator: columns.separator.charCodeAt(0) }, state.fields);
}

function readBlock(state: State, bytes: Buffer, firstLine: number): void {
  let line = firstLine;
  const quotedBlock = bytes.indexOf(QUOTE) !== -1;
  for (let start = 0; start < bytes.length; line++) {
    const newline = bytes.indexOf(NEWLINE, start);
    const end = newline > start && bytes[newline - 1] === RETURN ? newline - 1 : newline;
    if (end > start) {
      if (state.columns === null) {
        state.columns = columnsOfHeader(bytes.toString('utf8', start, end), state.path, state.options);
        state.fields = tableFields(state.columns.count);
      } else {
        const text = quotedBlock ? bytes.toString('utf8', start, end) : '';
        if (text.includes('"') && state.columns.separator !== '::') {
          splitQuoted(text, state.columns.separator, state.fields);
        } else splitLine(state, state.columns, { bytes, start, end });
        readLine(state, state.columns, line);
      }
    }
    start = newline + 1;
  }
}

/**
 * Reads a table with one interaction per line: CSV, TSV, RecBole's `.inter`, or, with `columns` given, any table without a
 * header. Needs a user and an item, and a time or order unless `needsTime` is off. Items and users are numbered by first
 * appearance among the interactions that preprocessing leaves. Throws DATA_ERROR for missing or doubled columns, and, with
 * file, lines and reasons, for a wrong number of fields, empty, negative or `NaN` ids, and times or ratings that are no
 * numbers; a lenient reader skips those lines.
 */
export async function readTable(
  path: string,
  columns: TableColumns | null = null,
  options: ReadOptions = {},
): Promise<Interactions> {
  const state: State = {
    path,
    options,
    bad: new BadLines(path, options.lenient === true),
    columns,
    fields: tableFields(columns?.count ?? 0),
    users: new GrowableUint32(),
    items: new GrowableUint32(),
    times: new GrowableFloat64(),
    ratings: new GrowableFloat32(),
    userTable: new IdTable(),
    itemTable: new IdTable(),
  };
  for await (const { bytes, firstLine } of lineBlocks(path, options)) readBlock(state, bytes, firstLine);
  state.bad.refuseIfAny();
  if (state.users.length === 0) {
    const found = state.columns === null ? 'an empty file' : 'no interactions';
    const expected = columns === null ? 'a header line, then one interaction per line' : 'one interaction per line';
    throw badLine(path, 1, found, expected);
  }
  const { time = null, timeIsOrder = false, rating = null } = state.columns ?? {};
  return {
    users: state.users.view(),
    items: state.items.view(),
    times: time === null ? null : state.times.view(),
    clock: time !== null && !timeIsOrder,
    ratings: rating === null ? null : state.ratings.view(),
    userIds: state.userTable.names,
    itemIds: state.itemTable.names,
    itemOrder: 'appearance',
    skipped: state.bad.skipped,
  };
}
