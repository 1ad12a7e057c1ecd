import { filterError } from './filterError.ts';

export type Token =
  /** A run of letters, digits and `_ . / @ - : % * +`, with quoted segments where a dot stands before them. */
  | { type: 'word'; text: string; segments: readonly string[]; quoted: boolean; position: number }
  | { type: 'string'; text: string; position: number }
  | { type: 'symbol'; text: Symbol; position: number }
  | { type: 'end'; position: number };

export const SYMBOLS = ['<=', '>=', '!=', '<>', '==', '=', '<', '>', '(', ')', ','] as const;
type Symbol = (typeof SYMBOLS)[number];

const LONGEST = 10_000;
const BLANK = /\s/;
/** Ends a word. */
const DELIMITER = /[\s()"',=<>!]/;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '"': '"', "'": "'", '\\': '\\' };

/**
 * Cuts a filter into tokens; the last one is `end`.
 * @param path The place of the text in the input, for messages.
 * @throws WarrenError BAD_INPUT that points at what no token begins with, or at a string without an end.
 */
export function tokenize(text: string, path: string): Token[] {
  if (text.length > LONGEST) {
    throw filterError({ path, text, position: LONGEST }, `expected at most ${LONGEST} characters, not ${text.length}`);
  }
  const tokens: Token[] = [];
  let position = 0;
  while (position < text.length) {
    const character = text[position]!;
    const symbol = SYMBOLS.find((candidate) => text.startsWith(candidate, position));
    if (BLANK.test(character)) {
      position += 1;
    } else if (symbol !== undefined) {
      tokens.push({ type: 'symbol', text: symbol, position });
      position += symbol.length;
    } else if (character === '"' || character === "'") {
      const { value, end } = readString(text, position, path);
      tokens.push({ type: 'string', text: value, position });
      position = end;
    } else if (character === '!') {
      throw filterError({ path, text, position }, 'a single "!" means nothing here; write "not" or "!="');
    } else {
      const { token, end } = readWord(text, position, path);
      tokens.push(token);
      position = end;
    }
  }
  tokens.push({ type: 'end', position: text.length });
  return tokens;
}

function readWord(text: string, start: number, path: string): { token: Token; end: number } {
  const segments: string[] = [];
  let segment = '';
  let quoted = false;
  let position = start;
  while (position < text.length) {
    const character = text[position]!;
    if (character === '.') {
      segments.push(segment);
      segment = '';
      position += 1;
    } else if (/["']/.test(character) && segment === '' && text[position - 1] === '.') {
      const { value, end } = readString(text, position, path);
      segment = value;
      quoted = true;
      position = end;
      if (position < text.length && text[position] !== '.' && !DELIMITER.test(text[position]!)) {
        throw filterError({ path, text, position }, 'expected a blank, a dot or an operator after the quoted name');
      }
    } else if (DELIMITER.test(character)) {
      break;
    } else {
      segment += character;
      position += 1;
    }
  }
  segments.push(segment);
  const token: Token = { type: 'word', text: text.slice(start, position), segments, quoted, position: start };
  return { token, end: position };
}

function readString(text: string, start: number, path: string): { value: string; end: number } {
  const quote = text[start]!;
  let value = '';
  for (let position = start + 1; position < text.length; position++) {
    const character = text[position]!;
    if (character === quote) return { value, end: position + 1 };
    if (character === '\0') throw filterError({ path, text, position }, 'a text cannot hold the character NUL');
    if (character !== '\\') {
      value += character;
      continue;
    }
    position += 1;
    const escaped = text[position] ?? '';
    // Others keep their backslash, so that \% and \_ reach a pattern.
    value += ESCAPES[escaped] ?? `\\${escaped}`;
  }
  throw filterError({ path, text, position: start }, `the text that begins here has no closing ${quote}`);
}
