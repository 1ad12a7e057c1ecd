/** What trackers write for numbers that JSON has no words for. */
const WORDS: ReadonlyMap<string, number> = new Map([
  ['nan', Number.NaN],
  ['inf', Number.POSITIVE_INFINITY],
  ['+inf', Number.POSITIVE_INFINITY],
  ['infinity', Number.POSITIVE_INFINITY],
  ['-inf', Number.NEGATIVE_INFINITY],
  ['-infinity', Number.NEGATIVE_INFINITY],
]);

/** A number, also as text and as Python, NumPy or JavaScript write what is not finite; null for anything else. */
export function looseNumber(value: unknown): number | null {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'string') return null;
  const text = value.trim();
  if (text === '') return null;
  const word = WORDS.get(text.toLowerCase());
  if (word !== undefined) return word;
  return /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : null;
}

/** A text without an end goes to that of all: it is gone through once. */
const STRINGS_AND_WORDS = /"(?:[^"\\]|\\.)*(?:"|$)|-?\b(?:NaN|Infinity)\b/g;

/** JSON as Python writes it: bare NaN and Infinity become texts, which `looseNumber` reads. @throws SyntaxError. */
export function parseLooseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!/NaN|Infinity/.test(text)) throw error;
    return JSON.parse(text.replace(STRINGS_AND_WORDS, (part) => (part.startsWith('"') ? part : `"${part}"`)));
  }
}

/** Before it a number of this size is Unix seconds, from it on milliseconds: 3 March 1973, or the year 5138. */
const SECONDS_END = 1e11;

/** Unix milliseconds of a time: seconds or milliseconds since 1970, or a date as text; null for anything else. */
export function looseTimeMs(value: unknown): number | null {
  const number = looseNumber(value);
  if (number !== null)
    return Number.isFinite(number) ? Math.round(number < SECONDS_END ? number * 1000 : number) : null;
  if (typeof value !== 'string') return null;
  // without a zone: the same everywhere, in UTC
  const text = value.trim().replace(' ', 'T');
  const zoned =
    /(?:z|[+-]\d{2}:?\d{2})$/i.test(text) || !/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(text) ? text : `${text}Z`;
  const timeMs = Date.parse(zoned);
  return Number.isNaN(timeMs) ? null : timeMs;
}

/** A text as a parameter: a number or truth value where it is one. */
export function looseParameter(text: string): string | number | boolean {
  if (/^(true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  const number = looseNumber(text);
  return number !== null && Number.isFinite(number) ? number : text;
}
