import { badLine, quotedBytes } from './badLine.ts';
import { BadLines } from './badLines.ts';
import { GrowableUint32 } from './growableArray.ts';
import { IdTable } from './idTable.ts';
import type { Interactions } from '../prepare/interactions.ts';
import { lineBlocks } from './lineBlocks.ts';
import { isMissing } from './missingValue.ts';
import type { ReadOptions } from './readOptions.ts';
import { readTextSequences } from './readTextSequences.ts';
import { textLines } from './textLines.ts';

const EXPECTED = '"user item item …": ids that are whole numbers, separated by spaces';
const WITHOUT_ITEMS = ' without items';
const AGAIN = 'one line per user; if each line is one interaction: --format pairs or --format table';
const SAMPLE_LINES = 20;
const MOST_DIGITS = 15;
const NEWLINE = 10;

interface State {
  bad: BadLines;
  emptyLists: boolean;
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

/** What is known at a byte that is no digit: the word before it is an id of `digits` digits with this `value`. */
interface Place {
  bytes: Buffer;
  at: number;
  value: number;
  digits: number;
  /** Of the line so far, or -1. */
  user: number;
  lineHasItems: boolean;
}

/** What is wrong at a place, or null. */
function problemAt({ bytes, at, value, digits, user, lineHasItems }: Place, userTable: IdTable): string | null {
  const byte = bytes[at]!;
  if (byte !== 32 && byte !== 10 && byte !== 9 && byte !== 13) return quotedBytes(wordAt(bytes, at));
  if (digits > MOST_DIGITS) return `an id of ${digits} digits`;
  if (user === -1) {
    if (digits === 0) return null;
    if (userTable.hasInteger(value)) return `user ${value} again`;
    return byte === 10 ? `user ${value}${WITHOUT_ITEMS}` : null;
  }
  return byte === 10 && digits === 0 && !lineHasItems ? `user ${userTable.names[user]}${WITHOUT_ITEMS}` : null;
}

function readBlock(
  bytes: Buffer,
  firstLine: number,
  { bad, emptyLists, users, items, userTable, itemTable }: State,
): void {
  let line = firstLine;
  let lineStart = items.length;
  const place: Place = { bytes, at: 0, value: 0, digits: 0, user: -1, lineHasItems: false };
  for (; place.at < bytes.length; place.at++) {
    const byte = bytes[place.at]!;
    if (byte >= 48 && byte <= 57) {
      place.value = place.value * 10 + byte - 48;
      place.digits++;
      continue;
    }
    place.lineHasItems = items.length > lineStart;
    const problem = problemAt(place, userTable);
    if (problem !== null && emptyLists && problem.endsWith(WITHOUT_ITEMS))
      userTable.ofInteger(place.user === -1 ? place.value : Number(userTable.names[place.user]));
    else if (problem !== null) {
      bad.add(line, problem, problem.endsWith(' again') ? AGAIN : EXPECTED);
      users.length = lineStart;
      items.length = lineStart;
      place.at = bytes.indexOf(NEWLINE, place.at);
    } else if (place.digits > 0 && place.user === -1) place.user = userTable.ofInteger(place.value);
    else if (place.digits > 0) {
      users.push(place.user);
      items.push(itemTable.ofInteger(place.value));
    }
    place.value = 0;
    place.digits = 0;
    if (bytes[place.at] !== NEWLINE) continue;
    place.user = -1;
    lineStart = items.length;
    line++;
  }
}

/** Whether the items are whole numbers, as the first lines tell: then a word that is none is a fault. */
async function hasNumbers(path: string, options: ReadOptions): Promise<boolean> {
  let lines = 0;
  for await (const { text } of textLines(path, 'utf-8', options)) {
    const words = (text ?? '\0').trim().split(/\s+/);
    if (!isReadable(words)) return true;
    if (++lines === SAMPLE_LINES) break;
  }
  return lines === 0;
}

/** No item is a number, what a number becomes when it is damaged, or a mark for a missing value. */
function isReadable([, ...items]: readonly string[]): boolean {
  return (
    items.length > 0 &&
    items.every((item) => /^[\p{L}\p{N}_]/u.test(item) && !isMissing(item) && !Number.isFinite(Number(item)))
  );
}

/**
 * Reads `user item item …`, one line per user, items in time order (the layout of S3-Rec). Where every id is a whole number, items
 * are numbered by it; ids of other texts are numbered by first appearance. Empty lines are skipped. Throws DATA_ERROR with file and
 * lines for anything else, a user who comes twice, and a file without interactions; a lenient reader skips whole lines.
 */
export async function readSequences(path: string, options: ReadOptions = {}): Promise<Interactions> {
  if (!(await hasNumbers(path, options))) return readTextSequences(path, options);
  const state: State = {
    bad: new BadLines(path, options.lenient === true),
    emptyLists: options.emptyLists === true,
    users: new GrowableUint32(),
    items: new GrowableUint32(),
    userTable: new IdTable(),
    itemTable: new IdTable(),
  };
  for await (const { bytes, firstLine } of lineBlocks(path, options)) readBlock(bytes, firstLine, state);
  state.bad.refuseIfAny(state.items.length);
  if (state.items.length === 0) throw badLine(path, 1, 'an empty file', EXPECTED);
  return {
    users: state.users.view(),
    items: state.items.view(),
    times: null,
    userIds: state.userTable.names,
    itemIds: state.itemTable.names,
    itemOrder: 'number',
    skipped: state.bad.skipped,
    understanding: {
      form: 'one line a user, with the items in order',
      columns: { user: 'the first number of a line', item: 'the others', time: null, rating: null },
      firstLine: 1,
      times: 'the order of the items',
      perSecond: null,
      leftOut: 0,
      notes: [],
    },
  };
}
