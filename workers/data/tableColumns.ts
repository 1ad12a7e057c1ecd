import { badLine } from './badLine.ts';

/** Where a table has what is needed, counted from 0. */
export interface TableColumns {
  user: number;
  item: number;
  /** Unix time, or any number that grows with time. */
  time: number;
  /** Read only to see that it is a number; null where there is none. */
  rating: number | null;
  /** Fields on each line. */
  count: number;
  separator: '\t' | ',' | ';' | ' ';
}

const SEPARATORS = ['\t', ',', ';', ' '] as const;

/** Names by which a column is known, lower case, without `_`, `-` and RecBole's `:type`. */
const NAMES = {
  user: ['user', 'userid', 'uid', 'reviewerid', 'customerid', 'visitorid', 'sessionid'],
  item: ['item', 'itemid', 'iid', 'movieid', 'asin', 'productid', 'gameid', 'animeid', 'bookid', 'articleid'],
  time: ['timestamp', 'time', 'unixtime', 'unixreviewtime', 'order', 'position'],
  rating: ['rating', 'score', 'stars', 'overall'],
} as const;

function plainName(field: string): string {
  return field
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .replace(/:(token|float|token_seq|float_seq)$/i, '')
    .replace(/[_\s-]/g, '')
    .toLowerCase();
}

/**
 * Finds the columns of a table with a header line, such as `userId,movieId,rating,timestamp` or RecBole's
 * `user_id:token⇥item_id:token⇥timestamp:float`. Throws DATA_ERROR naming the columns found and the one that is missing.
 */
export function columnsOfHeader(header: string, path: string): TableColumns {
  const separator = SEPARATORS.find((candidate) => header.includes(candidate)) ?? ',';
  const names = header.split(separator).map(plainName);
  const indexOf = (what: keyof typeof NAMES): number => {
    for (const name of NAMES[what]) {
      const index = names.indexOf(name);
      if (index === -1) continue;
      if (names.includes(name, index + 1)) throw badLine(path, 1, `two columns "${name}"`, 'each column once');
      return index;
    }
    return -1;
  };
  const columns = { user: indexOf('user'), item: indexOf('item'), time: indexOf('time') };
  for (const [what, index] of Object.entries(columns)) {
    if (index !== -1) continue;
    const known = NAMES[what as keyof typeof NAMES].slice(0, 5).join(', ');
    const reason = what === 'time' ? ': without a time order the last interaction of a user is unknown' : '';
    throw badLine(path, 1, `the columns ${names.join(', ')}`, `a header with a ${what} column (${known}, …)${reason}`);
  }
  const rating = indexOf('rating');
  return { ...columns, rating: rating === -1 ? null : rating, count: names.length, separator };
}
