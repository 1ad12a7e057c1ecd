import { fieldHeads } from '#src/base/contracts/runFilter/fields.ts';

/** Letters, digits and what names are joined with; anything else is of the language of filters. */
const WORDS = /^[\p{L}\p{N}_.\-/+@:#]+(\s+[\p{L}\p{N}_.\-/+@:#]+)*$/u;
const OF_THE_LANGUAGE = new Set(['and', 'or', 'not', 'in', 'like', 'ilike', 'is', 'null']);

/**
 * The filter that a person means who types words alone, none of which is one of the language: runs whose names have them, or the
 * run of a number. All else is a filter as it is.
 */
export function filterOfWords(text: string): string {
  const number = /^#?(\d{1,9})$/.exec(text)?.[1];
  if (number !== undefined) return `number = ${number}`;
  const words = text.split(/\s+/);
  const heads = fieldHeads();
  const isOfLanguage = (word: string) =>
    OF_THE_LANGUAGE.has(word.toLowerCase()) || heads.has(word.toLowerCase().split('.')[0]!);
  if (!WORDS.test(text) || words.some(isOfLanguage)) return text;
  return words.map((word) => `name ilike "%${word.replace(/[_%]/g, '\\$&')}%"`).join(' and ');
}
