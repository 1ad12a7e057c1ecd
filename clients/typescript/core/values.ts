import { isPlainObject } from '#src/base/lib/plainObject.ts';
import type { LogLevel } from '../generated/api.ts';
import type { WireValue } from './records.ts';
import { warnOnce } from './warn.ts';

/** As the API takes a metric's value: JSON has no NaN and no infinities. */
export function wireValue(value: number): WireValue {
  if (Number.isFinite(value)) return value;
  if (Number.isNaN(value)) return 'NaN';
  return value > 0 ? 'Infinity' : '-Infinity';
}

/** What a program gives as names and values. @throws TypeError for anything else, which names the call */
export function checkedMembers(call: string, wanted: string, given: unknown): Readonly<Record<string, unknown>> {
  if (given instanceof Map) return Object.fromEntries(given);
  if (isPlainObject(given)) return given;
  const found = given === null ? 'null' : Array.isArray(given) ? 'a list' : `a ${typeof given}`;
  throw new TypeError(`${call}: ${wanted} is wanted, not ${found}`);
}

/**
 * Numbers by name; nested objects are joined with `/`, booleans are 0 and 1. What is no number goes to `others`, as `told` tells it;
 * what that leaves undefined goes nowhere.
 * @throws TypeError where `data` is no object
 */
export function numbersOf(
  data: Readonly<Record<string, unknown>>,
  others: Map<string, unknown>,
  told: (value: unknown) => unknown,
): Record<string, WireValue> {
  const numbers: Record<string, WireValue> = {};
  const collectOne = (name: string, value: unknown, depth: number): void => {
    const number = numberOf(value);
    if (number !== null) numbers[name] = wireValue(number);
    else if (isLiteral(value) && depth < DEEPEST) collect(value, `${name}/`, depth + 1);
    else {
      const other = told(value);
      if (other !== undefined) others.set(name, other);
    }
  };
  const collect = (members: Readonly<Record<string, unknown>>, prefix: string, depth: number): void => {
    for (const key of Object.keys(members)) {
      try {
        collectOne(prefix + key, members[key], depth);
      } catch (error) {
        warnOnce(`log: '${prefix}${key}' is left out: ${error instanceof Error ? error.name : String(error)}`);
      }
    }
  };
  collect(checkedMembers('log', 'an object of names and numbers, such as { loss: 0.3 },', data), '', 0);
  return numbers;
}

/** The plain texts among what is no number. */
export function textsOf(others: ReadonlyMap<string, unknown>): Record<string, string> {
  return Object.fromEntries([...others].filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

/** The number that a value is; null where it is none. A tensor of one number is one. */
function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean' || typeof value === 'bigint') return Number(value);
  if (!isPlainObject(value) || value.size !== 1 || typeof value.dataSync !== 'function') return null;
  const [inner]: unknown[] = value.dataSync();
  return typeof inner === 'number' ? inner : null;
}

/** A larger array among the parameters is told by its text. */
const MOST_LISTED = 1000;
/** Characters of JSON of an object of a class. */
const LONGEST_OBJECT = 20_000;

/** Containers within containers. */
export const DEEPEST = 40;

/** A text as UTF-8 and PostgreSQL can hold it. */
export function plainText(text: string): string {
  return new TextDecoder().decode(new TextEncoder().encode(text)).replaceAll('\0', '\\0');
}

/** What JSON can hold of a parameter's value; all else becomes text. Sets are sorted: equal configurations are equal. Never throws. */
export function plainJson(value: unknown): unknown {
  return plainWithin(value, []);
}

/** @param above The containers that it is in. */
function plainWithin(value: unknown, above: readonly unknown[]): unknown {
  try {
    if (value === null || value === undefined) return null;
    if (typeof value === 'boolean') return value;
    if (typeof value === 'string') return plainText(value);
    if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
    if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
    if (above.includes(value) || above.length > DEEPEST) return `<${nameOfKind(value)} within itself>`;
    const within = [...above, value];
    const each = (member: unknown): unknown => plainWithin(member, within);
    if (Array.isArray(value)) return value.map(each);
    if (value instanceof Set) return [...value].map(each).sort(byPlace);
    if (value instanceof Map) return mapped([...value], each);
    if (ArrayBuffer.isView(value)) return listedOf(value);
    if (isLiteral(value)) {
      return mapped(
        Object.keys(value).map((key) => [key, member(value, key)]),
        each,
      );
    }
    return isPlainObject(value) ? serialized(value) : String(value);
  } catch (error) {
    return `<${nameOfKind(value)}: ${error instanceof Error ? error.name : 'an error'}>`;
  }
}

function mapped(entries: [unknown, unknown][], each: (member: unknown) => unknown): Record<string, unknown> {
  return Object.fromEntries(entries.map(([key, inner]) => [String(each(String(key))), each(inner)]));
}

/** A member of an object; where its getter throws, what it throws. */
function member(of: Readonly<Record<string, unknown>>, key: string): unknown {
  try {
    return of[key];
  } catch (error) {
    return `<${error instanceof Error ? error.name : 'an error'}>`;
  }
}

function nameOfKind(value: unknown): string {
  return Array.isArray(value) ? 'a list' : typeof value;
}

/** The order of a set: numbers by their size, all else by its text. */
function byPlace(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'number' || typeof b === 'number') return typeof a === 'number' ? -1 : 1;
  const [left, right] = [JSON.stringify(a), JSON.stringify(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** A typed array as a list; a large one as its text. */
function listedOf(value: ArrayBufferView): unknown {
  const isShort = 'length' in value && typeof value.length === 'number' && value.length <= MOST_LISTED;
  return isShort ? Object.values(value).map(plainJson) : String(value);
}

/** What an object of a class says of itself as JSON; its text where that goes in circles or is long. */
function serialized(value: object): unknown {
  try {
    const text = JSON.stringify(value);
    return text.length <= LONGEST_OBJECT ? JSON.parse(text) : String(value);
  } catch {
    return String(value);
  }
}

export function plainParameters(mapping: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.keys(mapping).map((key) => [key, plainJson(member(mapping, key))]));
}

/** The parameters that a program gives. @throws TypeError where they are no object */
export function parametersOf(config: unknown): Record<string, unknown> {
  if (config === undefined || config === null) return {};
  return plainParameters(checkedMembers('config', 'an object', config));
}

function isLiteral(value: unknown): value is Readonly<Record<string, unknown>> {
  if (!isPlainObject(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

const LEVELS: Readonly<Record<string, LogLevel>> = {
  ...{ debug: 'debug', info: 'info', warn: 'warn', error: 'error' },
  ...{ warning: 'warn', critical: 'error', fatal: 'error' },
};

/** A level of the log. @throws TypeError where there is no such level */
export function checkedLevel(level: unknown, call: string): LogLevel {
  const found = LEVELS[String(level).toLowerCase()];
  if (found !== undefined) return found;
  throw new TypeError(`${call}: level '${String(level)}' is not one of debug, info, warn, error`);
}

/** A seed. @throws TypeError where it is none */
export function checkedSeed(seed: unknown): number {
  const number = typeof seed === 'string' && seed.trim() !== '' ? Number(seed) : seed;
  if (typeof number === 'number' && Number.isInteger(number) && number >= 0 && number < 2 ** 31) return number;
  throw new TypeError(`seed: ${String(seed)} is not a whole number from 0 to 2^31 - 1`);
}

/** Whether a parameter called `seed` is what replicates differ in. */
export function isSeed(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 2 ** 31;
}
