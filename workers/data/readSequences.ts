import { badLine, quotedBytes } from './badLine.ts';
import { GrowableUint32 } from './growableArray.ts';
import { IdTable } from './idTable.ts';
import type { Interactions } from './interactions.ts';
import { lineBlocks } from './lineBlocks.ts';

const EXPECTED = '"user item item …": ids that are whole numbers, separated by spaces';
const MOST_DIGITS = 15;

interface State {
  path: string;
  users: GrowableUint32;
  items: GrowableUint32;
  userTable: IdTable;
  itemTable: IdTable;
}

/** The word around byte `at` of `bytes`. */
function wordAt(bytes: Buffer, at: number): Buffer {
  let start = at;
  let end = at;
  while (start > 0 && bytes[start - 1]! > 32) start--;
  while (end < bytes.length && bytes[end]! > 32) end++;
  return bytes.subarray(start, end);
}

function readBlock(bytes: Buffer, firstLine: number, state: State): void {
  const { path, users, items, userTable, itemTable } = state;
  let line = firstLine;
  let user = -1;
  let lineItems = 0;
  let value = 0;
  let digits = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte >= 48 && byte <= 57) {
      value = value * 10 + byte - 48;
      digits++;
      continue;
    }
    if (byte !== 32 && byte !== 10 && byte !== 9 && byte !== 13) {
      throw badLine(path, line, quotedBytes(wordAt(bytes, at)), EXPECTED);
    }
    if (digits > MOST_DIGITS) {
      throw badLine(path, line, `an id of ${digits} digits`, `ids of at most ${MOST_DIGITS} digits`);
    }
    if (digits > 0) {
      if (user === -1) {
        const known = userTable.names.length;
        user = userTable.ofInteger(value);
        if (user < known) throw badLine(path, line, `user ${value} again`, 'one line a user');
      } else {
        users.push(user);
        items.push(itemTable.ofInteger(value));
        lineItems++;
      }
      value = 0;
      digits = 0;
    }
    if (byte === 10) {
      if (user !== -1 && lineItems === 0) {
        throw badLine(path, line, `user ${userTable.names[user]} without items`, EXPECTED);
      }
      user = -1;
      lineItems = 0;
      line++;
    }
  }
}

/**
 * Reads `user item item …`, one line a user, items in time order (the layout of S3-Rec): every id is a whole number, and
 * items are numbered by it. Empty lines are skipped. Throws DATA_ERROR with file and line for anything else, a user who
 * comes twice, and a file without interactions.
 */
export async function readSequences(path: string): Promise<Interactions> {
  const state: State = {
    path,
    users: new GrowableUint32(),
    items: new GrowableUint32(),
    userTable: new IdTable(),
    itemTable: new IdTable(),
  };
  for await (const { bytes, firstLine } of lineBlocks(path)) readBlock(bytes, firstLine, state);
  if (state.items.length === 0) throw badLine(path, 1, 'an empty file', EXPECTED);
  return {
    users: state.users.view(),
    items: state.items.view(),
    times: null,
    userIds: state.userTable.names,
    itemIds: state.itemTable.names,
    itemOrder: 'number',
  };
}
