import { badLine } from './badLine.ts';
import { BadLines } from './badLines.ts';
import { GrowableFloat32, GrowableFloat64, GrowableUint32 } from './growableArray.ts';
import { IdTable } from './idTable.ts';
import type { Interactions } from '../prepare/interactions.ts';
import type { ReadOptions } from './readOptions.ts';
import { type ColumnMapping, findColumns, plainName } from './tableColumns.ts';
import { textLines } from './textLines.ts';

/** Members of the objects of a file. */
interface Members {
  user: string;
  item: string;
  time: string | null;
  rating: string | null;
  timeIsOrder: boolean;
}

function membersOf(first: Record<string, unknown>, path: string, options: ReadOptions): Members {
  const names = Object.keys(first);
  // places counted from 1 mean nothing in an object
  const mapping: ColumnMapping = options.mapping ?? {};
  const columns = findColumns(names.map(plainName), path, { ...options, mapping });
  const name = (index: number | null): string | null => (index === null ? null : (names[index] ?? null));
  return {
    user: names[columns.user]!,
    item: names[columns.item]!,
    time: name(columns.time),
    rating: name(columns.rating),
    timeIsOrder: columns.timeIsOrder === true,
  };
}

function parseObject(text: string | null): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value))
      : null;
  } catch {
    return null;
  }
}

function idText(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : '';
}

function numberOf(value: unknown): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : Number.NaN;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/**
 * Reads one JSON object a line, such as the reviews of Amazon (`reviewerID`, `asin`, `overall`, `unixReviewTime`). Which
 * members are meant is found in the first object, by their usual names or by `mapping`; other members are ignored. Throws
 * DATA_ERROR as `readTable` does.
 */
export async function readJsonLines(path: string, options: ReadOptions = {}): Promise<Interactions> {
  const bad = new BadLines(path, options.lenient === true);
  const users = new GrowableUint32();
  const items = new GrowableUint32();
  const times = new GrowableFloat64();
  const ratings = new GrowableFloat32();
  const userTable = new IdTable();
  const itemTable = new IdTable();
  let members: Members | null = null;
  for await (const { text, line } of textLines(path, 'utf-8', options)) {
    const object = parseObject(text);
    if (object === null) {
      bad.add(line, text === null ? 'bytes that are no UTF-8' : shown(text), 'one JSON object');
      continue;
    }
    members ??= membersOf(object, path, options);
    const user = userTable.ofString(idText(object[members.user]));
    const item = itemTable.ofString(idText(object[members.item]));
    const time = members.time === null ? 0 : numberOf(object[members.time]);
    const rating = members.rating === null ? 0 : numberOf(object[members.rating]);
    if (user === -1) bad.add(line, `${members.user} ${shown(object[members.user])}`, 'the id of a user');
    else if (item === -1) bad.add(line, `${members.item} ${shown(object[members.item])}`, 'the id of an item');
    else if (Number.isNaN(time))
      bad.add(line, `${members.time} ${shown(object[members.time!])}`, 'a number (time or order)');
    else if (Number.isNaN(rating))
      bad.add(line, `${members.rating} ${shown(object[members.rating!])}`, 'a number (rating)');
    else {
      users.push(user);
      items.push(item);
      times.push(time);
      ratings.push(rating);
    }
  }
  bad.refuseIfAny();
  if (users.length === 0) throw badLine(path, 1, 'no interactions', 'one JSON object a line');
  return {
    users: users.view(),
    items: items.view(),
    times: members?.time == null ? null : times.view(),
    clock: members?.time != null && !members.timeIsOrder,
    ratings: members?.rating == null ? null : ratings.view(),
    userIds: userTable.names,
    itemIds: itemTable.names,
    itemOrder: 'appearance',
    skipped: bad.skipped,
  };
}
