import { closeSync, openSync, readSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';

/** Read at once. */
const CHUNK_BYTES = 1 << 18;
const LONGEST_LINE = 1 << 20;

/**
 * The lines of a file of UTF-8, without their ends: of a file of any size a quarter of a megabyte and a line are held.
 * @param longest Characters of a line; what is beyond is left out.
 */
export function* textLines(path: string, longest: number = LONGEST_LINE): Generator<string, void, undefined> {
  const file = openSync(path, 'r');
  try {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const decoder = new StringDecoder('utf8');
    let begun: string[] = [];
    let length = 0;
    const hold = (text: string) => {
      if (length < longest) begun.push(text.slice(0, longest - length));
      length += text.length;
    };
    const line = () => {
      const whole = begun.join('');
      begun = [];
      length = 0;
      return whole.endsWith('\r') ? whole.slice(0, -1) : whole;
    };
    for (;;) {
      const read = readSync(file, chunk, 0, CHUNK_BYTES, null);
      const text = read === 0 ? decoder.end() : decoder.write(chunk.subarray(0, read));
      const [first = '', ...others] = text.split('\n');
      hold(first);
      for (const next of others) {
        yield line();
        hold(next);
      }
      if (read === 0) break;
    }
    if (length > 0) yield line();
  } finally {
    closeSync(file);
  }
}
