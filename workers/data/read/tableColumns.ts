import { badLine } from './badLine.ts';

/** Where a table has what is needed, counted from 0. */
export interface TableColumns {
  user: number;
  item: number;
  /** Unix time, or any number that grows with time; null where there is none. */
  time: number | null;
  /** The time is a place in each user's own order rather than a clock. */
  timeIsOrder?: boolean;
  /** Null where there is none. */
  rating: number | null;
  /** Fields on each line. */
  count: number;
  separator: '\t' | ',' | ';' | ' ' | '::';
}

/** Where the user says the columns are: names as in the header, or places counted from 1. */
export interface ColumnMapping {
  user?: string;
  item?: string;
  time?: string;
  rating?: string;
}

const SEPARATORS = ['\t', '::', ',', ';', ' '] as const;
const ORDER_NAMES: readonly string[] = ['order', 'position'];

/** Names by which a column is known, lower case, without `_`, `-` and RecBole's `:type`. */
const NAMES = {
  user: ['user', 'userid', 'uid', 'reviewerid', 'customerid', 'visitorid', 'sessionid'],
  item: ['item', 'itemid', 'iid', 'movieid', 'asin', 'productid', 'gameid', 'animeid', 'bookid', 'articleid', 'appid'],
  time: ['timestamp', 'time', 'unixtime', 'unixreviewtime', 'ts', 'order', 'position'],
  rating: ['rating', 'score', 'stars', 'overall'],
} as const;

/** A column's name as it is compared: lower case, without quotes, `_`, `-`, spaces and RecBole's `:type`. */
export function plainName(field: string): string {
  return field
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .replace(/:(token|float|token_seq|float_seq)$/i, '')
    .replace(/[_\s-]/g, '')
    .toLowerCase();
}

export interface HeaderOptions {
  /** Refuse a table without a time column; on unless said otherwise. */
  needsTime?: boolean;
  mapping?: ColumnMapping;
}

type Wanted = keyof typeof NAMES;

/** The place of a column that the user named, or -1. */
function mappedPlace(names: readonly string[], asked: string): number {
  if (/^\d+$/.test(asked) && !names.includes(plainName(asked))) {
    const place = Number(asked) - 1;
    return place >= 0 && place < names.length ? place : -1;
  }
  return names.indexOf(plainName(asked));
}

/** Finds which of `names` (as `plainName` makes them) is the user, the item, the time and the rating. */
export function findColumns(
  names: readonly string[],
  path: string,
  { needsTime = true, mapping = {} }: HeaderOptions = {},
): Omit<TableColumns, 'separator'> {
  const placeOf = (what: Wanted): number => {
    const asked = mapping[what];
    const candidates = asked === undefined ? NAMES[what] : [plainName(asked)];
    const place =
      asked === undefined
        ? (candidates.map((name) => names.indexOf(name)).find((index) => index !== -1) ?? -1)
        : mappedPlace(names, asked);
    const name = names[place];
    if (place !== -1 && candidates.some((candidate) => candidate === name) && names.includes(name!, place + 1)) {
      throw badLine(path, 1, `two columns "${name}"`, 'each column once');
    }
    if (place === -1 && asked !== undefined) {
      throw badLine(path, 1, `the columns ${names.join(', ')}`, `a column "${asked}", as the map says for ${what}`);
    }
    return place;
  };
  const columns = { user: placeOf('user'), item: placeOf('item'), time: placeOf('time') };
  for (const [what, index] of Object.entries(columns)) {
    if (index !== -1 || (what === 'time' && !needsTime)) continue;
    const known = NAMES[what as Wanted].slice(0, 5).join(', ');
    const reason = what === 'time' ? ': without a time order the last interaction of a user is unknown' : '';
    throw badLine(
      path,
      1,
      `the columns ${names.join(', ')}`,
      `a header with ${what === 'item' ? 'an' : 'a'} ${what} column (${known}, …)${reason}`,
    );
  }
  const rating = placeOf('rating');
  return {
    user: columns.user,
    item: columns.item,
    time: columns.time === -1 ? null : columns.time,
    timeIsOrder: ORDER_NAMES.includes(names[columns.time] ?? ''),
    rating: rating === -1 ? null : rating,
    count: names.length,
  };
}

/**
 * Finds the columns of a table with a header line, such as `userId,movieId,rating,timestamp` or RecBole's
 * `user_id:token⇥item_id:token⇥timestamp:float`. Throws DATA_ERROR naming the columns found and the one that is missing.
 */
export function columnsOfHeader(header: string, path: string, options: HeaderOptions = {}): TableColumns {
  const separator = SEPARATORS.find((candidate) => header.includes(candidate)) ?? ',';
  return { ...findColumns(header.split(separator).map(plainName), path, options), separator };
}
