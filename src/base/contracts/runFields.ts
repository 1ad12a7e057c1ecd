import { badInput, WarrenError } from './errors.ts';
import { shorten } from '#src/base/lib/shorten.ts';

const LONGEST_NAME = 200;
const LONGEST_TAG = 100;
const LONGEST_TOLD = 500;
export const MOST_TAGS = 50;

/** A name without blanks around it. @throws WarrenError BAD_INPUT when it is empty or longer than 200 characters. */
export function checkedName(name: string, path: string): string {
  const trimmed = name.trim();
  if (trimmed.length === 0 || trimmed.length > LONGEST_NAME) {
    throw badInput(`${path}: a name has 1 to ${LONGEST_NAME} characters, received ${trimmed.length}`, path);
  }
  return trimmed;
}

/** A user name without blanks around it; null where there is none. @throws WarrenError BAD_INPUT when it is longer than 200 characters. */
export function checkedUser(name: string | null | undefined, path = 'user'): string | null {
  const trimmed = (name ?? '').trim();
  if (trimmed.length <= LONGEST_NAME) return trimmed === '' ? null : trimmed;
  throw badInput(`${path}: a user name has at most ${LONGEST_NAME} characters, received ${trimmed.length}`, path);
}

/** Notes have so many characters at most. */
export const LONGEST_NOTES = 100_000;

/** @throws WarrenError BAD_INPUT for notes that are too long. */
export function checkedNotes(notes: string, path: string): string {
  if (notes.length <= LONGEST_NOTES) return notes;
  throw badInput(`${path}: at most ${LONGEST_NOTES.toLocaleString('en')} characters, received ${notes.length}`, path);
}

/** Of a long text an event tells the beginning. */
export function toldText(text: string): string {
  return shorten(text, LONGEST_TOLD);
}

/** Tags without blanks around them and without doubles. @throws WarrenError BAD_INPUT for empty, long or too many ones. */
export function checkedTags(tags: readonly string[], path = 'tags'): string[] {
  const trimmed = [...new Set(tags.map((tag) => tag.trim()))];
  for (const tag of trimmed) {
    if (tag.length === 0 || tag.length > LONGEST_TAG) {
      throw badInput(`${path}: a tag has 1 to ${LONGEST_TAG} characters, received "${tag.slice(0, 50)}"`, path);
    }
  }
  if (trimmed.length > MOST_TAGS) {
    throw badInput(`${path}: a run has at most ${MOST_TAGS} tags, received ${trimmed.length}`, path);
  }
  return trimmed;
}

/** @throws WarrenError TOO_LARGE where the JSON of `value` has more than `most` characters. */
export function refuseLongJson(value: unknown, { path, most }: { path: string; most: number }): void {
  const length = JSON.stringify(value)?.length ?? 0;
  if (length <= most) return;
  const message = `${path}: at most ${most.toLocaleString('en')} characters of JSON, received ${length.toLocaleString('en')}`;
  throw new WarrenError('TOO_LARGE', message, { path });
}

/** `value` if it is a whole number in the range. @throws WarrenError BAD_INPUT otherwise. */
export function checkedInteger(value: number, range: { path: string; minimum: number; maximum: number }): number {
  if (Number.isInteger(value) && value >= range.minimum && value <= range.maximum) return value;
  const span = `${range.minimum.toLocaleString('en')} to ${range.maximum.toLocaleString('en')}`;
  throw badInput(`${range.path}: received ${value}, expected a whole number from ${span}`, range.path);
}
