import { WarrenError } from '#src/base/contracts/errors.ts';
import { openText } from './containers/openText.ts';
import type { ReadOptions } from './readOptions.ts';

/** Whole lines of a file: `bytes` ends with a newline, and its first line is line `firstLine` (from 1) of the file. */
export interface LineBlock {
  bytes: Buffer;
  firstLine: number;
}

export type LineOptions = Pick<
  ReadOptions,
  'maximumBytes' | 'bytes' | 'wholeLines' | 'member' | 'encoding' | 'onMember'
>;

const LONGEST_LINE_BYTES = 64 << 20;
const NEWLINE = 10;

/**
 * Reads a text file, plain or packed as `openText` has it, as blocks of whole lines, at most a chunk in memory at a time. A byte
 * order mark is dropped and a missing last newline is added, or refused. Throws DATA_ERROR as `openText` does, and for files
 * without line ends.
 */
export async function* lineBlocks(path: string, options: LineOptions = {}): AsyncGenerator<LineBlock> {
  let firstLine = 1;
  let rest: Buffer[] = [];
  let restBytes = 0;
  let started = false;
  for await (let chunk of openText(path, options)) {
    if (!started) {
      started = true;
      if (chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf) chunk = chunk.subarray(3);
    }
    const end = chunk.lastIndexOf(NEWLINE) + 1;
    if (end > 0) {
      const whole = restBytes === 0 ? chunk.subarray(0, end) : Buffer.concat([...rest, chunk.subarray(0, end)]);
      yield { bytes: whole, firstLine };
      firstLine += countLines(whole);
      rest = [];
      restBytes = 0;
    }
    if (end < chunk.length) {
      rest.push(chunk.subarray(end));
      restBytes += chunk.length - end;
    }
    if (restBytes > LONGEST_LINE_BYTES) {
      throw new WarrenError('DATA_ERROR', `${path}:${firstLine} has a line of more than 64 MiB: is it a text file?`, {
        path: `${path}:${firstLine}`,
      });
    }
  }
  if (restBytes > 0 && options.wholeLines === true) {
    const message = `${path}:${firstLine} is cut off: the last line has no line end. Copy or download the file again`;
    throw new WarrenError('DATA_ERROR', message, { path: `${path}:${firstLine}` });
  }
  if (restBytes > 0) yield { bytes: Buffer.concat([...rest, Buffer.from('\n')]), firstLine };
}

/** Newlines in a block. */
export function countLines(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) lines++;
  return lines;
}
