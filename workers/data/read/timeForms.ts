import { badInput } from '#src/base/contracts/errors.ts';

/** A time as people write it. */
export interface TimeForm {
  /** Two values of one name are of one form. */
  name: string;
  /** Shown where a person must choose. */
  words: string;
  /** The text says at which distance from UTC it was. */
  zoned: boolean;
  /** Seconds since 1970, or NaN for a text of another form or a day that no month has. */
  read(text: string): number;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAY = '(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\\.?';
const MONTH = `(${MONTHS.join('|')})[a-z]*\\.?`;
const CLOCK = '(\\d{1,2}):(\\d{2})(?::(\\d{2})(?:[.,](\\d{1,9}))?)?(?:\\s*([ap])\\.?m\\.?)?';
const ZONE = '(Z|UTC|GMT|[A-Z]{3,4}|(?:UTC|GMT)?[+-]\\d{2}:?\\d{2})';

/** Distances from UTC, in minutes, that Java's and Unix's zone names stand for; those that stand for two are not here. */
const ZONES: Readonly<Record<string, number>> = {
  ...{ Z: 0, UTC: 0, GMT: 0, WET: 0, CET: 60, CEST: 120, EET: 120, EEST: 180, MSK: 180, JST: 540, KST: 540 },
  ...{ EST: -300, EDT: -240, CDT: -300, MST: -420, MDT: -360, PST: -480, PDT: -420 },
};

interface Parts {
  year: number;
  /** From 1. */
  month: number;
  day: number;
  clock?: readonly (string | undefined)[];
  zone?: string | undefined;
}

function zoneMinutes(zone: string | undefined): number {
  if (zone === undefined) return 0;
  const named = ZONES[zone.toUpperCase()];
  if (named !== undefined) return named;
  const match = /^(?:UTC|GMT)?([+-])(\d{2}):?(\d{2})$/i.exec(zone);
  if (match === null || Number(match[3]) > 59) return Number.NaN;
  return (match[1] === '-' ? -1 : 1) * (60 * Number(match[2]) + Number(match[3]));
}

function secondsOf({ year, month, day, clock = [], zone }: Parts): number {
  const [hourText = '0', minute = '0', second = '0', fraction = '', half] = clock;
  let hour = Number(hourText);
  if (half !== undefined) {
    if (hour < 1 || hour > 12) return Number.NaN;
    hour = (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  }
  if (hour > 23 || Number(minute) > 59 || Number(second) > 60 || month < 1 || month > 12) return Number.NaN;
  const date = new Date(Date.UTC(year, month - 1, day));
  if (date.getUTCDate() !== day) return Number.NaN;
  const whole = date.getTime() / 1000 + 3600 * hour + 60 * Number(minute) + Number(second) - 60 * zoneMinutes(zone);
  return fraction === '' ? whole : whole + Number(`0.${fraction}`);
}

/** A two-digit year as POSIX has it: 69 to 99 are of the last century. */
const yearOf = (text: string): number =>
  text.length === 4 ? Number(text) : Number(text) + (Number(text) >= 69 ? 1900 : 2000);
const monthOf = (name: string): number => MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1;

interface Pattern {
  name: string;
  words: string;
  expression: RegExp;
  parts: (match: readonly (string | undefined)[]) => Parts;
}

const expressionOf = (source: string): RegExp => new RegExp(`^${source}$`, 'i');

/** Where day and month are both numbers below 13, only other lines can tell which is which. */
const dayMonth = (name: string, words: string, monthFirst: boolean): Pattern => ({
  name,
  words,
  expression: expressionOf(`(\\d{1,2})([/.-])(\\d{1,2})\\2(\\d{4}|\\d{2})(?:,?\\s+${CLOCK}(?:\\s*${ZONE})?)?`),
  parts: ([, first, , second, year, h, m, s, f, half, zone]) => ({
    year: yearOf(year!),
    month: Number(monthFirst ? first : second),
    day: Number(monthFirst ? second : first),
    clock: [h, m, s, f, half],
    zone,
  }),
});

const PATTERNS: readonly Pattern[] = [
  {
    name: 'iso',
    words: 'ISO 8601, such as 2014-07-02T05:35:48Z',
    expression: expressionOf(`(\\d{4})([-/.]?)(\\d{2})\\2(\\d{2})(?:[T ]+${CLOCK}(?:\\s*${ZONE})?)?`),
    parts: ([, year, , month, day, h, m, s, f, half, zone]) => ({
      year: Number(year),
      month: Number(month),
      day: Number(day),
      clock: [h, m, s, f, half],
      zone,
    }),
  },
  {
    name: 'iso-basic',
    words: 'ISO 8601 without separators, such as 20140702T053548',
    expression: expressionOf(`(\\d{4})(\\d{2})(\\d{2})T?(\\d{2})(\\d{2})(\\d{2})(?:\\.(\\d{1,9}))?${ZONE}?`),
    parts: ([, year, month, day, h, m, s, f, zone]) => ({
      year: Number(year),
      month: Number(month),
      day: Number(day),
      clock: [h, m, s, f],
      zone,
    }),
  },
  {
    name: 'unix-date',
    words: 'Unix, Java and Twitter, such as Tue Apr 03 18:00:09 +0000 2012',
    expression: expressionOf(`(?:${DAY}\\s+)?${MONTH}\\s+(\\d{1,2})\\s+${CLOCK}(?:\\s+${ZONE})?\\s+(\\d{4})`),
    parts: ([, month, day, h, m, s, f, half, zone, year]) => ({
      year: Number(year),
      month: monthOf(month!),
      day: Number(day),
      clock: [h, m, s, f, half],
      zone,
    }),
  },
  {
    name: 'day-name-month',
    words: 'a day, a month by name, a year, such as 18 Jul 2017 11:49',
    expression: expressionOf(
      `(?:${DAY},?\\s+)?(\\d{1,2})(?:st|nd|rd|th)?[-\\s./]+${MONTH}[-,\\s./]+(\\d{4}|\\d{2})(?:[,:]?\\s*${CLOCK}(?:\\s*${ZONE})?)?`,
    ),
    parts: ([, day, month, year, h, m, s, f, half, zone]) => ({
      year: yearOf(year!),
      month: monthOf(month!),
      day: Number(day),
      clock: [h, m, s, f, half],
      zone,
    }),
  },
  {
    name: 'month-name-day',
    words: 'a month by name, a day, a year, such as July 18, 2017 11:49 AM',
    expression: expressionOf(
      `(?:posted\\s+)?(?:${DAY},?\\s+)?${MONTH}\\s+(\\d{1,2})(?:st|nd|rd|th)?,?\\s+(\\d{4})\\.?(?:,?\\s+(?:at\\s+)?${CLOCK}(?:\\s*${ZONE})?)?`,
    ),
    parts: ([, month, day, year, h, m, s, f, half, zone]) => ({
      year: Number(year),
      month: monthOf(month!),
      day: Number(day),
      clock: [h, m, s, f, half],
      zone,
    }),
  },
  {
    name: 'month-day-year-words',
    words: "Amazon's reviews, such as 09 13, 2009",
    expression: expressionOf('(\\d{1,2}) (\\d{1,2}), (\\d{4})'),
    parts: ([, month, day, year]) => ({ year: Number(year), month: Number(month), day: Number(day) }),
  },
  dayMonth('month/day/year', 'month/day/year, such as 7/18/2017 11:49 AM', true),
  dayMonth('day/month/year', 'day/month/year, such as 18/7/2017 11:49', false),
];

function formOf({ name, words, expression, parts }: Pattern): TimeForm & { partsOf: (text: string) => Parts | null } {
  const partsOf = (text: string): Parts | null => {
    const match = expression.exec(text);
    return match === null ? null : parts(match);
  };
  return {
    name,
    words,
    zoned: false,
    partsOf,
    read(text) {
      const found = partsOf(text);
      return found === null ? Number.NaN : secondsOf(found);
    },
  };
}

const TEXT_FORMS = PATTERNS.map(formOf);

/** Forms of text, of all or of those named, that `text` can be read in, with whether it names its zone: none where it is no time. */
export function formsOf(text: string, among: readonly Pick<TimeForm, 'name'>[] = TEXT_FORMS): TimeForm[] {
  const trimmed = text.trim();
  return TEXT_FORMS.flatMap((form) => {
    if (!among.some(({ name }) => name === form.name)) return [];
    const parts = form.partsOf(trimmed);
    if (parts === null || Number.isNaN(secondsOf(parts))) return [];
    return [{ ...form, zoned: parts.zone !== undefined }];
  });
}

/** Numbers that count from 1970, by the size that times of our days have in them. */
export const NUMBER_UNITS = [
  { name: 's', words: 'seconds since 1970', perSecond: 1 },
  { name: 'ms', words: 'milliseconds since 1970', perSecond: 1e3 },
  { name: 'us', words: 'microseconds since 1970', perSecond: 1e6 },
  { name: 'ns', words: 'nanoseconds since 1970', perSecond: 1e9 },
] as const;
export type NumberUnit = (typeof NUMBER_UNITS)[number];

/** From March 1973 on, in each unit. */
const EARLIEST = 1e8;
/** Each unit ends where the next one begins: the year 5138. */
const LATEST = 1e11;

/** The unit in which a number is a time of our days; null for numbers that are too small, which only tell an order. */
export function unitOf(value: number): NumberUnit | null {
  return NUMBER_UNITS.find(({ perSecond }) => value >= EARLIEST * perSecond && value < LATEST * perSecond) ?? null;
}

const NAMED: readonly TimeForm[] = TEXT_FORMS;

/** What `--time-format` may be, by name. */
export const TIME_FORMAT_NAMES: readonly string[] = [
  ...NUMBER_UNITS.map(({ name }) => name),
  ...NAMED.map(({ name }) => name),
  'excel',
];

const DIRECTIVES: Readonly<Record<string, string>> = {
  Y: '(?<year>\\d{4})',
  y: '(?<year>\\d{2})',
  m: '(?<month>\\d{1,2})',
  d: '(?<day>\\d{1,2})',
  e: '(?<day>\\d{1,2})',
  b: `(?<monthName>(?:${MONTHS.join('|')})[a-z]*)`,
  B: `(?<monthName>(?:${MONTHS.join('|')})[a-z]*)`,
  a: DAY,
  A: DAY,
  H: '(?<hour>\\d{1,2})',
  I: '(?<hour>\\d{1,2})',
  M: '(?<minute>\\d{1,2})',
  S: '(?<second>\\d{1,2})',
  f: '(?<fraction>\\d{1,9})',
  p: '(?<half>[ap])\\.?m\\.?',
  z: '(?<zone>Z|[+-]\\d{2}:?\\d{2})',
  Z: '(?<zone>[A-Z]{1,5})',
  '%': '%',
};

/** A form written as Python's `strptime` has it, such as `%d.%m.%Y %H:%M`. Throws BAD_INPUT for a directive that it does not know. */
function writtenForm(format: string): TimeForm {
  let source = '';
  for (let at = 0; at < format.length; at++) {
    const character = format[at]!;
    if (character !== '%') {
      source += /\s/.test(character) ? '\\s+' : character.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
      continue;
    }
    const directive = DIRECTIVES[format[++at] ?? ''];
    if (directive === undefined) {
      throw badInput(
        `--time-format: %${format[at] ?? ''} is not known; there are %${Object.keys(DIRECTIVES).join(' %')}`,
        '--time-format',
      );
    }
    source += directive;
  }
  const expression = new RegExp(`^${source}$`, 'i');
  return {
    name: format,
    words: `as ${format} says`,
    zoned: /%[zZ]/.test(format),
    read(text) {
      const groups = expression.exec(text)?.groups;
      if (groups === undefined) return Number.NaN;
      const { year = '1970', month, monthName, day = '1', hour, minute, second, fraction, half, zone } = groups;
      return secondsOf({
        year: yearOf(year),
        month: monthName === undefined ? Number(month ?? 1) : monthOf(monthName),
        day: Number(day),
        clock: [hour, minute, second, fraction, half],
        zone,
      });
    },
  };
}

/** Days since 1899-12-30, as a spreadsheet keeps them. */
const EXCEL: TimeForm = {
  name: 'excel',
  words: 'days of a spreadsheet, counted from 1899-12-30',
  zoned: false,
  read: (text) => (/^\d+(\.\d+)?$/.test(text) ? (Number(text) - 25_569) * 86_400 : Number.NaN),
};

/**
 * What `--time-format` means: a unit of numbers (`s`, `ms`, `us`, `ns`), a form by its name, or one written as Python's
 * `strptime` has it. Throws BAD_INPUT for anything else.
 */
export function namedTimeForm(format: string): NumberUnit | TimeForm {
  const unit = NUMBER_UNITS.find(({ name }) => name === format);
  if (unit !== undefined) return unit;
  if (format.includes('%')) return writtenForm(format);
  const form = [...NAMED, EXCEL].find(({ name }) => name === format);
  if (form !== undefined) return form;
  throw badInput(
    `"${format}" is no form of times: expected ${TIME_FORMAT_NAMES.join(', ')}, or one such as "%d.%m.%Y %H:%M"`,
    '--time-format',
  );
}
