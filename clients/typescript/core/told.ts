import { isPlainObject } from '#src/base/lib/plainObject.ts';
import { Histogram, Media } from './media.ts';
import { DEEPEST, plainJson, plainText } from './values.ts';

/** Numbers of a list that are told as a text; more are counted in a histogram. */
const MOST_TOLD = 32;

/**
 * A list or a typed array of up to 32 numbers is a text, of more a histogram; other plain lists are texts as JSON. Lists of texts and
 * of things to look at stay as they are, and dates are texts. Undefined where there is nothing to tell.
 */
export function toldValue(value: unknown): unknown {
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'string') return plainText(value);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? String(value) : value.toISOString();
  const entries = entriesOf(value);
  if (entries === null) return value;
  if (
    !entries.every((entry) => isPlain(entry)) ||
    (entries.length > 0 && entries.every((entry) => typeof entry === 'string'))
  )
    return entries;
  const numbers = numbersIn(entries);
  return numbers !== null && numbers.length > MOST_TOLD ? new Histogram(numbers) : spelled(plainJson(entries));
}

function entriesOf(value: unknown): unknown[] | null {
  if (Array.isArray(value)) return value;
  if (value instanceof Set) return [...value];
  // a tensor
  if (isPlainObject(value) && typeof value.dataSync === 'function') return entriesOf(value.dataSync());
  return ArrayBuffer.isView(value) && !(value instanceof DataView) ? Object.values(value) : null;
}

function isPlain(value: unknown, depth = 0): boolean {
  // or a list that holds itself
  if (depth > DEEPEST) return true;
  const isPlainBelow = (inner: unknown): boolean => isPlain(inner, depth + 1);
  if (Array.isArray(value)) return value.every(isPlainBelow);
  if (ArrayBuffer.isView(value) || value instanceof Date) return true;
  if (value instanceof Media || typeof value === 'function' || typeof value === 'symbol') return false;
  if (typeof value !== 'object' || value === null) return true;
  return Object.getPrototypeOf(value) === Object.prototype && Object.values(value).every(isPlainBelow);
}

/** The numbers of lists in lists; null where they hold anything else. */
function numbersIn(entries: readonly unknown[], depth = 0): number[] | null {
  if (depth > DEEPEST) return null;
  const found: number[] = [];
  for (const entry of entries) {
    const inner = entriesOf(entry);
    const numbers = inner === null ? null : numbersIn(inner, depth + 1);
    if (numbers !== null) for (const number of numbers) found.push(number);
    else if (typeof entry === 'number' || typeof entry === 'boolean' || typeof entry === 'bigint')
      found.push(Number(entry));
    else return null;
  }
  return found;
}

/** JSON with spaces after commas, as Python writes it. */
function spelled(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spelled).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${spelled(member)}`);
  return `{${members.join(', ')}}`;
}
