import { WarrenError } from '#src/base/contracts/errors.ts';
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
  /** The part of a given split, in files that an import has written; missing where there is none. */
  part?: number;
  /** Fields on each line. */
  count: number;
  separator: string;
  /** As the header has them; missing where there is none. */
  names?: readonly string[];
}

/** Where the user says the columns are: names as in the header, or places counted from 1; `none` for a time or rating. */
export interface ColumnMapping {
  user?: string;
  item?: string;
  time?: string;
  rating?: string;
}

const ORDER_NAMES: readonly string[] = ['order', 'position'];

/** By this name an import writes the part of each interaction. */
export const PART_COLUMN = 'warren_part:token';

/** Names by which a column is known, lower case, without `_`, `-` and RecBole's `:type`. */
const NAMES = {
  user: [
    ...[
      'user',
      'userid',
      'uid',
      'reviewerid',
      'customerid',
      'visitorid',
      'sessionid',
      'session',
      'username',
      'profileid',
    ],
    ...[
      'memberid',
      'accountid',
      'playerid',
      'clientid',
      'cookieid',
      'readerid',
      'steamid',
      'personid',
      'useridx',
      'userhash',
    ],
  ],
  item: [
    ...['item', 'itemid', 'iid', 'movieid', 'asin', 'productid', 'gameid', 'animeid', 'bookid', 'articleid', 'appid'],
    ...[
      'movie',
      'book',
      'product',
      'article',
      'game',
      'song',
      'track',
      'video',
      'parentasin',
      'businessid',
      'videoid',
      'trackid',
      'songid',
      'artistid',
      'venueid',
      'poiid',
      'placeid',
      'locationid',
    ],
    ...[
      'newsid',
      'recipeid',
      'jokeid',
      'aid',
      'isbn',
      'sku',
      'filmid',
      'hotelid',
      'gmapid',
      'courseid',
      'podcastid',
      'showid',
    ],
    ...[
      'postid',
      'documentid',
      'docid',
      'pinid',
      'photoid',
      'storyid',
      'beerid',
      'restaurantid',
      'albumid',
      'mangaid',
      'adid',
    ],
  ],
  time: [
    ...[
      'timestamp',
      'time',
      'unixtime',
      'unixreviewtime',
      'ts',
      'datetime',
      'date',
      'reviewtime',
      'tdat',
      'eventtime',
      'eventdate',
    ],
    ...[
      'timems',
      'createdat',
      'created',
      'createdtime',
      'createddate',
      'reviewdate',
      'ratingdate',
      'orderdate',
      'purchasedate',
    ],
    ...[
      'localtime',
      'utctime',
      'checkintime',
      'playedat',
      'timestampms',
      'dateadded',
      'eventtimestamp',
      'interactiontime',
    ],
  ],
  rating: ['rating', 'score', 'stars', 'overall', 'ratings', 'bookrating', 'userrating', 'reviewoverall'],
} as const satisfies Record<string, readonly string[]>;

/** A name beside which the other says the same, more coarsely. */
const FINER: Readonly<Record<string, string>> = { reviewtime: 'unixreviewtime' };

/** A column's name as it is compared: lower case, without quotes, `_`, `-`, spaces and RecBole's `:type`. */
export function plainName(field: string): string {
  return field
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .replace(/:(token|float|token_seq|float_seq)$/i, '')
    .replace(/[_\s-]/g, '')
    .toLowerCase();
}

/** Whether a column of this name is known as a user, an item, a time or a rating. */
export function isKnownName(field: string): boolean {
  const name = plainName(field);
  return ORDER_NAMES.includes(name) || Object.values(NAMES).some((names) => names.some((known) => known === name));
}

export interface HeaderOptions {
  /** Refuse a table without a time column; on unless said otherwise. */
  needsTime?: boolean;
  mapping?: ColumnMapping;
  /** `none` or `line`: no time column is looked for. */
  time?: 'none' | 'line';
}

type Wanted = keyof typeof NAMES;

/** Whether a map says a place, counted from 1, rather than a name. */
export function isPlace(asked: string): boolean {
  return /^\d+$/.test(asked);
}

/** The place of a column that the user named, or -1. A place is a place, also where a column is called by a number. */
function mappedPlace(names: readonly string[], asked: string): number {
  if (!isPlace(asked)) return names.indexOf(plainName(asked));
  const place = Number(asked) - 1;
  return place >= 0 && place < names.length ? place : -1;
}

/** The columns that are known for a role, the usual order of names first. */
function candidatesOf(names: readonly string[], what: Wanted): number[] {
  const found = names.flatMap((name, place) => (NAMES[what].some((known) => known === name) ? [place] : []));
  if (what === 'time' && found.length === 0) {
    return names.flatMap((name, place) => (ORDER_NAMES.includes(name) ? [place] : []));
  }
  return found.filter((place) => !names.includes(FINER[names[place]!] ?? '\0'));
}

/** Names, as they stand in a file, that are known for an item, or with `ofLists` for a list of items: `items`, `item_id_list`. */
export function itemNames(shown: readonly string[], ofLists = false): string[] {
  const names = shown
    .map(plainName)
    .map((name) => (ofLists ? name.replace(/(s|list|seq|sequence|history)$/, '') : name));
  return candidatesOf(names, 'item').map((place) => shown[place]!);
}

interface Found {
  names: readonly string[];
  /** As they stand in the file. */
  shown: readonly string[];
  path: string;
  line: number;
}

function askWhich({ shown, path, line }: Found, what: Wanted, places: readonly number[]): WarrenError {
  const named = places.map((place) => shown[place]!);
  const where = `${path}:${line}`;
  const message = `${where}: ${named.map((name) => `"${name}"`).join(' and ')} can both be the ${what}. Say which: ${named.map((name) => `--map ${what}=${name}`).join(' or ')}`;
  return new WarrenError('DATA_ERROR', places.length === 2 ? message : message.replace(' both', ''), { path: where });
}

/** Finds which of `shown`, the names in a header, is the user, the item, the time and the rating. */
export function findColumns(
  shown: readonly string[],
  path: string,
  { needsTime = true, mapping = {}, time: timeRule }: HeaderOptions = {},
  line = 1,
): Omit<TableColumns, 'separator'> {
  const names = shown.map(plainName);
  const found: Found = { names, shown, path, line };
  const placeOf = (what: Wanted): number => {
    const asked = mapping[what];
    if (asked === 'none') return -1;
    if (asked !== undefined) {
      const place = mappedPlace(names, asked);
      if (place === -1) {
        throw badLine(
          path,
          line,
          `the columns ${shown.join(', ')}`,
          `a column ${isPlace(asked) ? asked : `"${asked}"`}, as the map says for ${what}`,
        );
      }
      if (!isPlace(asked) && names.indexOf(names[place]!, place + 1) !== -1) throw twoColumns(found, place);
      return place;
    }
    const taken = Object.values(mapping).flatMap((other: string) => mappedPlace(names, other));
    const places = candidatesOf(names, what).filter((place) => !taken.includes(place));
    if (places.length === 0) return -1;
    if (places.length > 1) {
      if (places.every((place) => names[place] === names[places[0]!])) throw twoColumns(found, places[0]!);
      throw askWhich(found, what, places);
    }
    return places[0]!;
  };
  const columns = { user: placeOf('user'), item: placeOf('item'), time: timeRule === undefined ? placeOf('time') : -1 };
  for (const [what, index] of Object.entries(columns)) {
    if (index !== -1 || (what === 'time' && (!needsTime || timeRule !== undefined))) continue;
    const known = NAMES[what as Wanted].slice(0, 5).join(', ');
    const reason =
      what === 'time'
        ? ': without a time order the last interaction of a user is unknown, and only --set dataset.split=random-by-user can be run'
        : '';
    throw badLine(
      path,
      line,
      `the columns ${shown.join(', ')}`,
      `a header with ${what === 'item' ? 'an' : 'a'} ${what} column (${known}, …)${reason}. Say where it is: --map ${what}=NAME; without a header: --no-header and places from 1, --map user=1,item=2`,
    );
  }
  const rating = placeOf('rating');
  const part = shown.indexOf(PART_COLUMN);
  return {
    ...(part === -1 ? {} : { part }),
    user: columns.user,
    item: columns.item,
    time: columns.time === -1 ? null : columns.time,
    timeIsOrder: ORDER_NAMES.includes(names[columns.time] ?? ''),
    rating: rating === -1 ? null : rating,
    count: names.length,
    names: shown,
  };
}

function twoColumns({ names, path, line }: Found, place: number): WarrenError {
  return badLine(path, line, `two columns "${names[place]}"`, 'each column once, or its place: --map user=1,item=2');
}
