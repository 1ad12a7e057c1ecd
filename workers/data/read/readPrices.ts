import { badLine } from './badLine.ts';
import { BadLines } from './badLines.ts';
import { GrowableFloat64 } from './growableArray.ts';
import type { ReadOptions } from './readOptions.ts';
import { plainName } from './tableColumns.ts';
import { textLines } from './textLines.ts';

/** Daily prices, in order of time. Each array: (days). */
export interface DailyPrices {
  /** Milliseconds since 1970, midnight UTC of each day. */
  days: Float64Array;
  open: Float64Array;
  high: Float64Array;
  low: Float64Array;
  close: Float64Array;
  volume: Float64Array;
}

const COLUMNS = ['date', 'open', 'high', 'low', 'close', 'volume'] as const;
const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;

function parseDay(text: string): number {
  if (!DAY.test(text)) return Number.NaN;
  const time = Date.parse(`${text}T00:00:00Z`);
  // Date.parse takes some days that no month has for the first of the next
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text) ? time : Number.NaN;
}

/** What is wrong with a day, or null. `numbers`: open, high, low, close, volume. */
function problemOf(day: number, before: number, numbers: readonly number[]): string | null {
  const [open, high, low, close, volume] = numbers as [number, number, number, number, number];
  if (Number.isNaN(day)) return 'no date of the form 2014-03-27';
  if (day <= before) return 'a date that is not after the one before it';
  if (numbers.some((value) => !Number.isFinite(value))) return 'a price or volume that is not a number';
  if (Math.min(open, high, low, close) <= 0 || volume < 0) return 'a price that is not positive, or a negative volume';
  return low > high ? `a low of ${low} above the high of ${high}` : null;
}

/**
 * Reads daily prices from a CSV whose header has date, open, high, low, close and volume, in any order. Throws DATA_ERROR
 * with file and lines for missing columns, days out of order, prices that are no positive numbers, a low above the high.
 */
export async function readPrices(path: string, options: ReadOptions = {}): Promise<DailyPrices> {
  const bad = new BadLines(path, options.lenient === true);
  const arrays = COLUMNS.map(() => new GrowableFloat64());
  let places: number[] | null = null;
  let count = 0;
  let before = Number.NEGATIVE_INFINITY;
  for await (const { text, line } of textLines(path, 'auto', options)) {
    const fields = (text ?? '').split(',');
    if (places === null) {
      const names = fields.map(plainName);
      places = COLUMNS.map((name) => names.indexOf(name));
      count = names.length;
      const doubled = COLUMNS.find((name) => names.indexOf(name) !== names.lastIndexOf(name));
      if (places.includes(-1) || doubled !== undefined) {
        throw badLine(path, line, `the columns ${names.join(', ')}`, `each of ${COLUMNS.join(', ')} once`);
      }
      continue;
    }
    const texts = places.map((place) => (fields[place] ?? '').trim());
    const day = parseDay(texts[0]!);
    const numbers = texts.slice(1).map((value) => (value === '' ? Number.NaN : Number(value)));
    const problem = fields.length === count ? problemOf(day, before, numbers) : `${fields.length} fields`;
    if (problem !== null) {
      bad.add(line, problem, `${count} fields: a later day and its prices`);
      continue;
    }
    before = day;
    for (const [column, value] of [day, ...numbers].entries()) arrays[column]!.push(value);
  }
  bad.refuseIfAny();
  if (arrays[0]!.length === 0)
    throw badLine(path, 1, 'no prices', `a header with ${COLUMNS.join(', ')}, then one day a line`);
  const [days, open, high, low, close, volume] = arrays.map((array) => array.view()) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  return { days, open, high, low, close, volume };
}
