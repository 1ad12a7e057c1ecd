import { WarrenError } from '#src/base/contracts/errors.ts';
import type { Interactions } from '../prepare/interactions.ts';
import { openText } from './containers/openText.ts';
import { badLine } from './badLine.ts';
import { InteractionRows, quoted, type RowNames } from './interactionRows.ts';
import { isObject, type JsonObject, objectTexts, parseObject } from './jsonValues.ts';
import type { ReadOptions } from './readOptions.ts';
import { type RowCondition, rowCondition } from './rowCondition.ts';
import { findColumns, itemNames } from './tableColumns.ts';
import { looksLikeTime } from './tableDialect.ts';
import { textLines } from './textLines.ts';
import { UNTAKEN } from './readTable.ts';

const LONGEST_OBJECT_BYTES = 64 << 20;
const EXPECTED = 'one JSON object a line, or an array of objects';
/** So many objects are looked at for their members: one may lack some that others have. */
const SAMPLE_OBJECTS = 50;

/** Objects with the line on which each begins; null for one that cannot be read. */
type Objects = AsyncIterable<{ object: JsonObject | null; line: number; found: string }>;

async function* ofLines(path: string, options: ReadOptions): Objects {
  for await (const { text, line } of textLines(path, 'utf-8', options)) {
    const found = text === null ? 'bytes that are no UTF-8 (say which encoding it is: --encoding)' : quoted(text);
    yield { object: text === null ? null : parseObject(text), line, found };
  }
}

async function* ofStream(path: string, options: ReadOptions): Objects {
  try {
    for await (const { text, line } of objectTexts(openText(path, options), LONGEST_OBJECT_BYTES)) {
      yield { object: parseObject(text), line, found: quoted(text) };
    }
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
    throw new WarrenError('DATA_ERROR', `${path}:${thrown.message}`, { path, cause: thrown });
  }
}

/** Whether each line is an object of its own, as the first one tells. */
async function isByLine(path: string, options: ReadOptions): Promise<boolean> {
  for await (const chunk of openText(path, options)) {
    const [first] = /[^\s\uFEFF]/.exec(chunk.toString('utf8', 0, 4096)) ?? [''];
    if (first === '[') return false;
    if (first !== '') break;
  }
  for await (const { text } of textLines(path, 'utf-8', options)) {
    if (text !== null && text.trim() !== '') return /\}\s*$/.test(text) || !/^\s*\{/.test(text);
  }
  return true;
}

/** Where an object has its lists of interactions: the member's name, and whether their elements are objects or items alone. */
interface Nested {
  name: string;
  elements: 'objects' | 'items';
}

interface Members {
  nested: Nested | null;
  /** Of the objects, or of the elements of the nested list, with what stands around them. */
  names: readonly string[];
  user: string;
  item: string;
  time: string | null;
  rating: string | null;
  timeIsOrder: boolean;
  untaken: string[];
}

/** An element of a list with what its object says for all of them; lists as long as that of the items go with it. */
function within(object: JsonObject, { name, elements }: Nested): JsonObject[] {
  const list = object[name];
  if (!Array.isArray(list)) return [];
  const { [name]: _, ...around } = object;
  if (elements === 'objects') return list.filter(isObject).map((element) => ({ ...around, ...element }));
  const beside = Object.entries(around).filter(
    (entry): entry is [string, unknown[]] => Array.isArray(entry[1]) && entry[1].length === list.length,
  );
  return list.map((item: unknown, place) => ({
    ...around,
    ...Object.fromEntries(beside.map(([other, values]) => [other, values[place]])),
    [name]: item,
  }));
}

function namesOf(objects: readonly JsonObject[]): string[] {
  return [...new Set(objects.flatMap(Object.keys))];
}

/** The list of each object that holds the interactions, where an object itself is none. */
function nestedIn(objects: readonly JsonObject[], options: ReadOptions): Nested | null {
  const names = namesOf(objects);
  const isList = (name: string): boolean =>
    objects.some((object) => Array.isArray(object[name]) && object[name].length > 0);
  const elementsOf = (name: string): unknown[] =>
    objects.flatMap((object) => (Array.isArray(object[name]) ? object[name] : []));
  const isScalars = (name: string): boolean =>
    elementsOf(name).every((element) => typeof element === 'string' || typeof element === 'number');
  const asked = options.mapping?.item;
  const itemsOf = (found: readonly string[]): string[] =>
    asked === undefined ? itemNames(found) : found.filter((name) => name === asked);
  const own = itemsOf(names);
  if (own.length > 0)
    return own.length === 1 && isList(own[0]!) && isScalars(own[0]!) ? { name: own[0]!, elements: 'items' } : null;
  const lists = names.filter(isList);
  const ofObjects = lists.find(
    (name) => elementsOf(name).every(isObject) && itemsOf(namesOf(elementsOf(name).filter(isObject))).length > 0,
  );
  if (ofObjects !== undefined) return { name: ofObjects, elements: 'objects' };
  const ofItems = lists.filter(isScalars);
  const known = itemNames(ofItems, true);
  const chosen = known.length === 1 ? known : ofItems;
  return chosen.length === 1 ? { name: chosen[0]!, elements: 'items' } : null;
}

function membersOf(objects: readonly JsonObject[], path: string, line: number, options: ReadOptions): Members {
  const nested = nestedIn(objects, options);
  const flat = nested === null ? objects : objects.flatMap((object) => within(object, nested));
  const names = namesOf(flat);
  const { mapping = {}, time } = options;
  const itemOfList = nested?.elements === 'items' ? { item: nested.name } : {};
  const columns = findColumns(
    names,
    path,
    { needsTime: false, mapping: { ...itemOfList, ...mapping }, ...(time === undefined ? {} : { time }) },
    line,
  );
  const name = (column: number | null): string | null => (column === null ? null : (names[column] ?? null));
  const taken = [columns.user, columns.item, columns.rating].map(name);
  const isTime = (member: string): boolean => {
    const values = flat.map((object) => object[member]).filter((value) => value !== undefined && value !== null);
    return (
      values.length > 0 &&
      values.every((value) => (typeof value === 'string' || typeof value === 'number') && looksLikeTime(String(value)))
    );
  };
  return {
    nested,
    names,
    user: names[columns.user]!,
    item: names[columns.item]!,
    time: name(columns.time),
    rating: name(columns.rating),
    timeIsOrder: columns.timeIsOrder === true,
    untaken: columns.time === null ? names.filter((member) => !taken.includes(member) && isTime(member)) : [],
  };
}

function idText(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : '';
}

/** The date of MongoDB's exports stands in an object of its own. */
function timeOf(value: unknown): string | number | undefined {
  const inner = isObject(value) ? (value.$date ?? value.$numberLong) : value;
  return typeof inner === 'string' || typeof inner === 'number' ? inner : undefined;
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/**
 * Reads JSON: one object a line, an array of objects, objects over several lines, or the dicts of Python a line. An object is one
 * interaction, or holds a list of them (`{"session": 1, "events": [{"aid": 2, "ts": 3}]}`) or of items in order. Which members are
 * meant is found in the first objects, by their usual names or by `mapping`. Whole numbers keep all their digits. Throws DATA_ERROR
 * as `readTable` does.
 */
export async function readJson(path: string, options: ReadOptions = {}): Promise<Interactions> {
  const byLine = await isByLine(path, options);
  const rows = new InteractionRows(path, options);
  let waiting: { object: JsonObject; line: number }[] = [];
  let members = null as Members | null;
  let condition: RowCondition | null = null;
  let listed = false;
  const takeIn = (object: JsonObject, line: number, of: Members): void => {
    const names: RowNames = { user: of.user, item: of.item, time: of.time, rating: of.rating };
    for (const one of of.nested === null ? [object] : within(object, of.nested)) {
      if (condition !== null && !condition.isMet((column) => textOf(one[of.names[column]!]))) {
        rows.leftOut++;
        continue;
      }
      const [rating, time] = [
        of.rating === null ? undefined : one[of.rating],
        of.time === null ? undefined : timeOf(one[of.time]),
      ];
      rows.take(
        {
          user: idText(one[of.user]),
          item: idText(one[of.item]),
          rating: rating === undefined || rating === null ? undefined : textOf(rating),
          time,
        },
        line,
        names,
      );
    }
  };
  const begin = (): void => {
    if (waiting.length === 0) return;
    members = membersOf(
      waiting.map(({ object }) => object),
      path,
      waiting[0]!.line,
      options,
    );
    if (members.time === null && options.time === undefined && options.needsTime !== false) {
      throw badLine(
        path,
        waiting[0]!.line,
        `the members ${members.names.join(', ')}`,
        'a time. Say which: --map time=NAME; without one: --time line or --time none',
      );
    }
    if (options.where !== undefined) condition = rowCondition(options.where, members.names);
    listed = members.nested?.elements === 'items';
    rows.begin({ hasTimes: members.time !== null, hasRatings: members.rating !== null });
    for (const { object, line } of waiting) takeIn(object, line, members);
    waiting = [];
  };
  for await (const { object, line, found } of byLine ? ofLines(path, options) : ofStream(path, options)) {
    if (object === null) rows.bad.add(line, found, 'one JSON object');
    else if (members !== null) takeIn(object, line, members);
    else if (waiting.push({ object, line }) === SAMPLE_OBJECTS) begin();
  }
  if (members === null) begin();
  const done = members as Members | null;
  if (done === null) {
    rows.bad.refuseIfAny(0);
    throw badLine(path, 1, 'no interactions', EXPECTED);
  }
  const lists =
    done.nested === null
      ? ''
      : `, each with a list "${done.nested.name}" of ${done.nested.elements === 'items' ? 'items in order' : 'interactions'}`;
  return rows.finish({
    form: `${byLine ? 'one object a line' : 'objects'} (JSON${byLine ? ' or Python' : ''})${lists}`,
    columns: { user: done.user, item: done.item, time: done.time, rating: done.rating },
    timeIsOrder: done.timeIsOrder,
    linesAreOrder: listed,
    expected: EXPECTED,
    notes: done.untaken.map((name) => `${UNTAKEN}${name}`),
  });
}
