import { didYouMean } from '#src/base/lib/nearNames.ts';

/** What is wrong with a block of a report, told in its place. */
export class BlockProblem extends Error {
  override readonly name = 'BlockProblem';
}

/** What a person wrote behind one key. */
export interface BlockValue {
  text: string;
  /** From 1, within the block. */
  line: number;
}

const LINE = /^\s*([a-z][a-z ]*?)\s*:\s*(.*?)\s*$/i;

/**
 * The lines of a block, `key: value` each; a key that stands in several lines has several values. Empty lines and those that
 * begin with # say nothing.
 * @throws BlockProblem for a line that is none, or a key that is not known.
 */
export function readBlockLines(text: string, keys: readonly string[]): Map<string, BlockValue[]> {
  const values = new Map<string, BlockValue[]>();
  for (const [index, content] of text.split(/\r?\n/).entries()) {
    if (/^\s*(#|$)/.test(content)) continue;
    const line = index + 1;
    const match = LINE.exec(content);
    if (match === null) {
      throw new BlockProblem(`line ${line}: expected “key: value”, such as “${keys[0]!}: …”; it is “${cut(content)}”`);
    }
    const key = match[1]!.toLowerCase().replace(/\s+/g, ' ');
    if (!keys.includes(key)) {
      const known = didYouMean(key, keys) || ` Known here are ${keys.join(', ')}.`;
      throw new BlockProblem(`line ${line}: “${cut(key)}” is not known here.${known}`);
    }
    values.set(key, [...(values.get(key) ?? []), { text: match[2]!, line }]);
  }
  return values;
}

function cut(text: string): string {
  const short = text.trim();
  return short.length > 60 ? `${short.slice(0, 60)}…` : short;
}

/** The one value of a key; null without it. @throws BlockProblem where it stands twice. */
export function oneValue(values: ReadonlyMap<string, BlockValue[]>, key: string): BlockValue | null {
  const [first = null, second] = values.get(key) ?? [];
  if (second !== undefined) throw new BlockProblem(`line ${second.line}: “${key}” stands twice`);
  return first;
}

/** All values of a key, those that are separated by commas one by one. */
export function listOf(values: ReadonlyMap<string, BlockValue[]>, key: string): string[] {
  const parts = (values.get(key) ?? []).flatMap(({ text }) => text.split(',').map((part) => part.trim()));
  return [...new Set(parts.filter((part) => part !== ''))];
}

/** A whole number in a range; null without the key. @throws BlockProblem for anything else. */
export function wholeValue(
  values: ReadonlyMap<string, BlockValue[]>,
  key: string,
  [least, most]: readonly [number, number],
): number | null {
  const found = oneValue(values, key);
  if (found === null) return null;
  const number = Number(found.text);
  if (found.text !== '' && Number.isInteger(number) && number >= least && number <= most) return number;
  throw new BlockProblem(`line ${found.line}: ${key} is a whole number from ${least} to ${most}, not “${found.text}”`);
}

/** Any finite number; null without the key. @throws BlockProblem for anything else. */
export function numberValue(values: ReadonlyMap<string, BlockValue[]>, key: string): number | null {
  const found = oneValue(values, key);
  if (found === null) return null;
  const number = Number(found.text);
  if (found.text !== '' && Number.isFinite(number)) return number;
  throw new BlockProblem(`line ${found.line}: ${key} is a number, not “${found.text}”`);
}

/** `yes` or `no`; null without the key. @throws BlockProblem for anything else. */
export function yesValue(values: ReadonlyMap<string, BlockValue[]>, key: string): boolean | null {
  const found = oneValue(values, key);
  if (found === null) return null;
  if (/^(yes|true)$/i.test(found.text)) return true;
  if (/^(no|false)$/i.test(found.text)) return false;
  throw new BlockProblem(`line ${found.line}: ${key} is yes or no, not “${found.text}”`);
}

/** One of some words; null without the key. @throws BlockProblem for another one. */
export function wordValue<Word extends string>(
  values: ReadonlyMap<string, BlockValue[]>,
  key: string,
  words: readonly Word[],
): Word | null {
  const found = oneValue(values, key);
  if (found === null) return null;
  const word = words.find((one) => one.toLowerCase() === found.text.toLowerCase());
  if (word !== undefined) return word;
  throw new BlockProblem(`line ${found.line}: ${key} is one of ${words.join(', ')}, not “${found.text}”`);
}
