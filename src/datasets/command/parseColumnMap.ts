import { badInput } from '#src/base/contracts/errors.ts';
import { didYouMean } from '#src/base/lib/nearNames.ts';

const COLUMNS = ['user', 'item', 'time', 'rating'] as const;
export type ColumnMap = Partial<Record<(typeof COLUMNS)[number], string>>;

/**
 * `user=who,item=what,time=when,rating=stars` of `--map`: names as in the header, or places counted from 1. Throws BAD_INPUT
 * for other columns, one given twice, and what is no `column=name`.
 */
export function parseColumnMap(text: string): ColumnMap {
  const map: ColumnMap = {};
  for (const part of text.split(',')) {
    const equals = part.indexOf('=');
    const name = part.slice(0, equals).trim();
    const value = part.slice(equals + 1).trim();
    const column = COLUMNS.find((known) => known === name);
    if (equals < 1 || column === undefined || value === '') {
      throw badInput(
        `"${part}": expected user=…,item=…, and where there are any time=…,rating=….${didYouMean(name, COLUMNS)}`,
        '--map',
      );
    }
    if (map[column] !== undefined) throw badInput(`${column} is given twice`, '--map');
    map[column] = value;
  }
  return map;
}
