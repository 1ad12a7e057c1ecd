import { parsePythonLiteral } from './pythonLiteral.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

const LONG_NUMBER = /\d{16}/;

/** Puts whole numbers of 16 digits and more into quotes, so that no digit of an id is lost. */
function quoteLongNumbers(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, (token) =>
    /^\d{16,}$/.test(token) ? `"${token}"` : token,
  );
}

/** The value of a JSON text, in which whole numbers of 16 digits and more stay text. Throws a SyntaxError. */
export function parseJson(text: string): unknown {
  return JSON.parse(LONG_NUMBER.test(text) ? quoteLongNumbers(text) : text);
}

export function isObject(value: unknown): value is JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** The object that a text spells in JSON or as Python writes it; null where it spells none. */
export function parseObject(text: string): JsonObject | null {
  for (const parse of [parseJson, parsePythonLiteral]) {
    try {
      const value = parse(text);
      return isObject(value) ? value : null;
    } catch {
      // the other may know it
    }
  }
  return null;
}

/** The text of one object in a stream of JSON, and the line on which it begins. */
export interface ObjectText {
  text: string;
  line: number;
}

const [OPEN, CLOSE, OPEN_LIST, CLOSE_LIST, QUOTE, BACKSLASH, NEWLINE, COMMA] = [123, 125, 91, 93, 34, 92, 10, 44];

/**
 * The objects of a JSON array, or of objects one after another, over any lines: nothing but the object at hand is in memory. Throws
 * a RangeError with the line for what is neither, and for one that is cut off.
 */
export async function* objectTexts(chunks: AsyncIterable<Buffer>, longest: number): AsyncGenerator<ObjectText> {
  let [depth, line, started] = [0, 1, 1];
  let [inText, escaped, inList] = [false, false, false];
  let parts: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]!;
      if (byte === NEWLINE) line++;
      if (inText) {
        if (escaped) escaped = false;
        else if (byte === BACKSLASH) escaped = true;
        else if (byte === QUOTE) inText = false;
      } else if (depth === 0) {
        if (byte === OPEN) {
          [depth, from, started] = [1, at, line];
        } else if (byte === OPEN_LIST && !inList) inList = true;
        else if (byte > 32 && byte !== COMMA && byte !== CLOSE_LIST && byte < 0xbb) {
          throw new RangeError(`${line}: found ${JSON.stringify(String.fromCharCode(byte))} between the objects`);
        }
      } else if (byte === QUOTE) inText = true;
      else if (byte === OPEN || byte === OPEN_LIST) depth++;
      else if (byte === CLOSE || byte === CLOSE_LIST) {
        depth--;
        if (depth > 0) continue;
        yield { text: Buffer.concat([...parts, chunk.subarray(from, at + 1)]).toString('utf8'), line: started };
        [parts, length] = [[], 0];
      }
    }
    if (depth > 0) {
      parts.push(chunk.subarray(from));
      length += chunk.length - from;
      if (length > longest) throw new RangeError(`${started}: an object of more than ${longest / 2 ** 20} MiB`);
    }
  }
  if (depth > 0) throw new RangeError(`${started}: an object that does not end: the file is cut off`);
}
