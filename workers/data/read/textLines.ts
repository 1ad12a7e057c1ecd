import { type LineOptions, lineBlocks } from './lineBlocks.ts';

/** How bytes become text; `auto` reads UTF-8, and a line that is no UTF-8 as Latin-1. */
export type TextEncodingName = 'utf-8' | 'latin1' | 'auto';

/**
 * The lines of a text file that are not empty, without line ends, gzipped or plain. A line that is not in the encoding has
 * `text` null. Throws as `lineBlocks` does.
 */
export async function* textLines(
  path: string,
  encoding: TextEncodingName = 'utf-8',
  options: LineOptions = {},
): AsyncGenerator<{ text: string | null; line: number }> {
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  const decode = (bytes: Buffer): string | null => {
    if (encoding === 'latin1') return bytes.toString('latin1');
    try {
      return utf8.decode(bytes);
    } catch {
      return encoding === 'auto' ? bytes.toString('latin1') : null;
    }
  };
  for await (const { bytes, firstLine } of lineBlocks(path, options)) {
    let line = firstLine;
    for (let start = 0; start < bytes.length; line++) {
      const newline = bytes.indexOf(10, start);
      const end = newline > start && bytes[newline - 1] === 13 ? newline - 1 : newline;
      if (end > start) yield { text: decode(bytes.subarray(start, end)), line };
      start = newline + 1;
    }
  }
}
