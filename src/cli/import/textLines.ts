import { closeSync, openSync, readSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';

/** Read at once. */
const CHUNK_BYTES = 1 << 18;
/** Characters of a line; what is beyond is left out. */
const LONGEST_LINE = 1 << 20;

/** The lines of a file of UTF-8, without their ends: of a file of any size a quarter of a megabyte is held. */
export function* textLines(path: string): Generator<string, void, undefined> {
  const file = openSync(path, 'r');
  try {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const decoder = new StringDecoder('utf8');
    let begun = '';
    for (;;) {
      const read = readSync(file, chunk, 0, CHUNK_BYTES, null);
      const text = read === 0 ? decoder.end() : decoder.write(chunk.subarray(0, read));
      const lines = text.split('\n');
      lines[0] = begun.length < LONGEST_LINE ? begun + (lines[0] ?? '') : begun;
      begun = (lines.pop() ?? '').slice(0, LONGEST_LINE);
      for (const line of lines) yield line.endsWith('\r') ? line.slice(0, -1) : line;
      if (read === 0) break;
    }
    if (begun !== '') yield begun;
  } finally {
    closeSync(file);
  }
}
