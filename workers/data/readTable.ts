import { badLine, quotedBytes } from './badLine.ts';
import { GrowableFloat64, GrowableUint32 } from './growableArray.ts';
import { IdTable } from './idTable.ts';
import type { Interactions } from './interactions.ts';
import { lineBlocks } from './lineBlocks.ts';
import { columnsOfHeader, type TableColumns } from './tableColumns.ts';
import { parseNumber, splitPlain, splitQuoted, type TableFields, tableFields } from './tableFields.ts';

const NEWLINE = 10;
const RETURN = 13;
const QUOTE = 34;

interface State {
  path: string;
  columns: TableColumns | null;
  fields: TableFields;
  users: GrowableUint32;
  items: GrowableUint32;
  times: GrowableFloat64;
  userTable: IdTable;
  itemTable: IdTable;
}

function fieldBytes(fields: TableFields, column: number): Buffer {
  return fields.bytes.subarray(fields.starts[column]!, fields.ends[column]!);
}

function numberIn(state: State, line: number, column: { index: number; what: string }): number {
  const { fields } = state;
  const value = parseNumber(fields.bytes, fields.starts[column.index]!, fields.ends[column.index]!);
  if (Number.isNaN(value)) {
    const found = quotedBytes(fieldBytes(fields, column.index));
    throw badLine(state.path, line, `${found} in column ${column.index + 1}`, `a number (${column.what})`);
  }
  return value;
}

function idIn(state: State, line: number, column: { index: number; what: 'user' | 'item' }): number {
  const { fields } = state;
  const table = column.what === 'user' ? state.userTable : state.itemTable;
  const id = table.ofBytes(fields.bytes, fields.starts[column.index]!, fields.ends[column.index]!);
  if (id === -1) {
    const found = quotedBytes(fieldBytes(fields, column.index));
    throw badLine(
      state.path,
      line,
      `${found} in column ${column.index + 1}`,
      `the id of ${column.what === 'user' ? 'a user' : 'an item'}, in UTF-8`,
    );
  }
  return id;
}

function readLine(state: State, columns: TableColumns, line: number): void {
  if (state.fields.count !== columns.count) {
    const names = { '\t': 'tabs', ',': 'commas', ';': 'semicolons', ' ': 'spaces' };
    throw badLine(
      state.path,
      line,
      `${state.fields.count} fields`,
      `${columns.count} fields, separated by ${names[columns.separator]}`,
    );
  }
  const user = idIn(state, line, { index: columns.user, what: 'user' });
  const item = idIn(state, line, { index: columns.item, what: 'item' });
  if (columns.rating !== null) numberIn(state, line, { index: columns.rating, what: 'rating' });
  state.times.push(numberIn(state, line, { index: columns.time, what: 'time or order' }));
  state.users.push(user);
  state.items.push(item);
}

function readBlock(state: State, bytes: Buffer, firstLine: number): void {
  let line = firstLine;
  const quotedBlock = bytes.indexOf(QUOTE) !== -1;
  for (let start = 0; start < bytes.length; line++) {
    const newline = bytes.indexOf(NEWLINE, start);
    const end = newline > start && bytes[newline - 1] === RETURN ? newline - 1 : newline;
    if (end > start) {
      if (state.columns === null) {
        state.columns = columnsOfHeader(bytes.toString('utf8', start, end), state.path);
        state.fields = tableFields(state.columns.count);
      } else {
        const { separator } = state.columns;
        const text = quotedBlock ? bytes.toString('utf8', start, end) : '';
        if (text.includes('"')) splitQuoted(text, separator, state.fields);
        else splitPlain(bytes, { start, end, separator: separator.charCodeAt(0) }, state.fields);
        readLine(state, state.columns, line);
      }
    }
    start = newline + 1;
  }
}

/**
 * Reads a table with one interaction a line: CSV, TSV, RecBole's `.inter`, or, with `columns` given, any table without a
 * header. Needs a user, an item and a time or order; ratings are checked to be numbers and otherwise ignored (implicit
 * feedback). Items and users are numbered by first appearance among the interactions that preprocessing leaves. Throws
 * DATA_ERROR with file and line for missing columns, a wrong number of fields, empty or `NaN` ids, and times that are no numbers.
 */
export async function readTable(path: string, columns: TableColumns | null = null): Promise<Interactions> {
  const state: State = {
    path,
    columns,
    fields: tableFields(columns?.count ?? 0),
    users: new GrowableUint32(),
    items: new GrowableUint32(),
    times: new GrowableFloat64(),
    userTable: new IdTable(),
    itemTable: new IdTable(),
  };
  for await (const { bytes, firstLine } of lineBlocks(path)) readBlock(state, bytes, firstLine);
  if (state.users.length === 0) {
    const found = state.columns === null ? 'an empty file' : 'no interactions';
    throw badLine(
      path,
      1,
      found,
      columns === null ? 'a header line, then one interaction a line' : 'one interaction a line',
    );
  }
  return {
    users: state.users.view(),
    items: state.items.view(),
    times: state.times.view(),
    userIds: state.userTable.names,
    itemIds: state.itemTable.names,
    itemOrder: 'appearance',
  };
}
