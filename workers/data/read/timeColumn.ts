import { badInput, WarrenError } from '#src/base/contracts/errors.ts';
import { GrowableFloat64 } from './growableArray.ts';
import { isMissing } from './missingValue.ts';
import { parseNumber } from './tableFields.ts';
import { formsOf, namedTimeForm, type NumberUnit, type TimeForm, unitOf } from './timeForms.ts';

/** How the times of a file were written. */
export interface TimeReading {
  /** In words, for people. */
  words: string;
  /** How many of the numbers that were read make a second; null where they only tell an order. */
  perSecond: number | null;
}

const [ZERO, NINE, DASH] = [48, 57, 45];
/** Days before each month of a year that is no leap year. */
const DAYS_BEFORE = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];

function digits(bytes: Buffer, start: number, count: number): number {
  let value = 0;
  for (let at = start; at < start + count; at++) {
    const byte = bytes[at]!;
    if (byte < ZERO || byte > NINE) return Number.NaN;
    value = value * 10 + byte - ZERO;
  }
  return value;
}

function daysFrom1970(year: number, month: number, day: number): number {
  if (!(month >= 1 && month <= 12 && day >= 1)) return Number.NaN;
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const length = month === 2 ? (isLeap ? 29 : 28) : (DAYS_BEFORE[month] ?? 365) - DAYS_BEFORE[month - 1]!;
  if (day > length) return Number.NaN;
  const before = year - 1;
  const leapDays = Math.floor(before / 4) - Math.floor(before / 100) + Math.floor(before / 400) - 477;
  return 365 * (year - 1970) + leapDays + DAYS_BEFORE[month - 1]! + (isLeap && month > 2 ? 1 : 0) + day - 1;
}

/** `2014-07-02`, `2014-07-02 05:35:48` or `2014-07-02T05:35:48Z` as seconds since 1970; NaN for every other text. */
function plainIsoSeconds(bytes: Buffer, start: number, end: number): number {
  const length = end - start;
  if ((length !== 10 && length !== 19 && length !== 20) || bytes[start + 4] !== DASH || bytes[start + 7] !== DASH) {
    return Number.NaN;
  }
  const days = daysFrom1970(digits(bytes, start, 4), digits(bytes, start + 5, 2), digits(bytes, start + 8, 2));
  if (length === 10) return days * 86_400;
  const between = bytes[start + 10];
  const isClock = (between === 84 || between === 32) && bytes[start + 13] === 58 && bytes[start + 16] === 58;
  if (!isClock || (length === 20 && bytes[end - 1] !== 90)) return Number.NaN;
  const [hour, minute, second] = [11, 14, 17].map((at) => digits(bytes, start + at, 2)) as [number, number, number];
  if (!(hour < 24 && minute < 60 && second < 60)) return Number.NaN;
  return days * 86_400 + hour * 3600 + minute * 60 + second;
}

interface Met {
  line: number;
  text: string;
}

/**
 * The times of a file, all of them written in one form, which the first of them decides. Where day and month cannot be told
 * apart in it, both readings are kept until a line tells.
 */
export class TimeColumn {
  readonly #path: string;
  readonly #unit: NumberUnit | null;
  readonly #given: boolean;
  /** Forms in which every text so far can be read: none before the first, and for numbers. */
  #forms: TimeForm[] = [];
  #values = new GrowableFloat64();
  #others = new GrowableFloat64();
  #other = Number.NaN;
  #first: (Met & { isNumber: boolean }) | null = null;
  #least: Met & { value: number } = { line: 0, text: '', value: Number.POSITIVE_INFINITY };
  #greatest: Met & { value: number } = { line: 0, text: '', value: Number.NEGATIVE_INFINITY };
  /** What the time that `read` refused should have been. */
  expected = '';

  /** `format`: what `--time-format` says, or null. */
  constructor(path: string, format: string | null) {
    this.#path = path;
    const named = format === null ? null : namedTimeForm(format);
    this.#given = named !== null;
    this.#unit = named !== null && 'perSecond' in named ? named : null;
    if (named !== null && 'read' in named) this.#forms = [named];
  }

  /** The time in `bytes[start .. end)` of a line; NaN where there is none in the file's form, and `expected` says which. */
  read(bytes: Buffer, start: number, end: number, line: number): number {
    const first = this.#first;
    if (this.#forms.length === 0) {
      const value = parseNumber(bytes, start, end);
      if (!Number.isNaN(value)) {
        const isDay = first === null && !this.#given && end - start === 8;
        if (!isDay || formsOf(bytes.toString('latin1', start, end)).length === 0) return this.#takeNumber(value, line);
      }
    } else if (this.#forms.length === 1 && this.#forms[0]!.name === 'iso' && !this.#given && first !== null) {
      const isZoned = bytes[end - 1] === 90;
      const seconds = plainIsoSeconds(bytes, start, end);
      if (!Number.isNaN(seconds) && isZoned === this.#forms[0]!.zoned) return seconds;
    }
    return this.readText(bytes.toString('utf8', start, end), line);
  }

  /** As `read`, of a number that a file has as a number. */
  readNumber(value: number, line: number): number {
    if (!Number.isFinite(value)) return this.#refuse('a time');
    if (this.#forms.length > 0) return this.readText(String(value), line);
    const isDay = this.#first === null && !this.#given && value >= 19_000_101 && value <= 21_001_231;
    return isDay ? this.readText(String(value), line) : this.#takeNumber(value, line);
  }

  /** As `read`, of a text. */
  readText(text: string, line: number): number {
    const trimmed = text.trim();
    if (isMissing(trimmed)) return this.#refuse('a time');
    const isFirst = this.#first === null;
    if (this.#unit !== null || (!isFirst && this.#forms.length === 0)) {
      const value = parseNumber(Buffer.from(trimmed), 0, Buffer.byteLength(trimmed));
      return Number.isNaN(value) ? this.#refuse(`a number${this.#asIn()}`) : this.#takeNumber(value, line);
    }
    if (this.#given) return this.#readGiven(trimmed, line);
    const forms = isFirst
      ? formsOf(trimmed)
      : formsOf(trimmed, this.#forms).filter(({ zoned }) => zoned === this.#forms[0]!.zoned);
    if (forms.length === 0) {
      if (isFirst && /^[+-]?\d+(\.\d+)?$/.test(trimmed)) return this.#takeNumber(Number(trimmed), line);
      return this.#refuse(
        isFirst ? 'a time (a number, or a date such as 2014-07-02 05:35:48)' : `a time${this.#asIn()}`,
      );
    }
    if (isFirst) {
      this.#first = { line, text: trimmed, isNumber: false };
      this.#forms = forms;
    } else if (forms.length < this.#forms.length) {
      // this line tells day and month apart, so that the other reading of all lines before is wrong
      if (this.#forms[0]!.name !== forms[0]!.name) this.#values = this.#others;
      this.#first = { line, text: trimmed, isNumber: false };
      this.#forms = this.#forms.filter(({ name }) => forms.some((form) => form.name === name));
    }
    const [value, other] = this.#forms.map((form) => form.read(trimmed));
    this.#other = other ?? Number.NaN;
    return value!;
  }

  #readGiven(text: string, line: number): number {
    this.#first ??= { line, text, isNumber: false };
    const value = this.#forms[0]!.read(text);
    return Number.isNaN(value) ? this.#refuse(`a time ${this.#forms[0]!.words}`) : value;
  }

  #takeNumber(value: number, line: number): number {
    if (this.#first === null) this.#first = { line, text: String(value), isNumber: true };
    if (value < this.#least.value) this.#least = { line, text: String(value), value };
    if (value > this.#greatest.value) this.#greatest = { line, text: String(value), value };
    return value;
  }

  #asIn(): string {
    return this.#first === null
      ? ''
      : ` as in line ${this.#first.line} ("${this.#first.text}"), since a file has one form of times`;
  }

  #refuse(expected: string): number {
    this.expected = `${expected}. The form can be given: --time-format`;
    return Number.NaN;
  }

  /** Keeps the time that `read` gave. */
  keep(value: number): void {
    this.#values.push(value);
    if (this.#forms.length === 2) this.#others.push(this.#other);
  }

  /** All times kept, without a copy. */
  view(): Float64Array {
    return this.#values.view();
  }

  /**
   * The form of all times. Throws DATA_ERROR with both lines where numbers are of different units, and where nothing tells day
   * and month apart.
   */
  finish(): TimeReading {
    const first = this.#first;
    if (first === null) return { words: 'no times', perSecond: null };
    if (this.#forms.length === 2) {
      const [one, two] = this.#forms.map(({ name }) => name);
      throw this.#error(
        first.line,
        `"${first.text}" can be ${one} or ${two}, and no other line tells. Say which: --time-format ${one} or --time-format ${two}`,
      );
    }
    const form = this.#forms[0];
    if (form !== undefined) {
      return { words: `${form.words}${form.zoned ? '' : '; without a zone, taken as UTC'}`, perSecond: 1 };
    }
    if (this.#unit !== null) return { words: this.#unit.words, perSecond: this.#unit.perSecond };
    const [low, high] = [unitOf(this.#least.value), unitOf(this.#greatest.value)];
    if (low !== null && high !== null && low !== high) {
      throw this.#error(
        this.#least.line,
        `"${this.#least.text}" would be ${low.words}, and "${this.#greatest.text}" in line ${this.#greatest.line} ${high.words}: a file has one form of times. Say which, if it is one: --time-format ${low.name} or --time-format ${high.name}`,
      );
    }
    if (high === null) return { words: 'numbers that only tell an order', perSecond: null };
    const early = low === null ? `; the least is ${this.#least.text}, in line ${this.#least.line}` : '';
    return { words: `${high.words}${early}`, perSecond: high.perSecond };
  }

  #error(line: number, text: string): WarrenError {
    const where = `${this.#path}:${line}`;
    return new WarrenError('DATA_ERROR', `${where}: the time ${text}`, { path: where });
  }
}

/** Throws BAD_INPUT for a form of times that there is not. */
export function checkTimeFormat(format: string | null): void {
  if (format === null) return;
  if (format.trim() === '') throw badInput('expected a form of times', '--time-format');
  namedTimeForm(format);
}
