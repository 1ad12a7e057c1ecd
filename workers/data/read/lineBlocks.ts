import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { coerceError } from '#src/lib/coerceError.ts';
import { WarrenError } from '#src/contracts/errors.ts';
import type { ReadOptions } from './readOptions.ts';

/** Whole lines of a file: `bytes` ends with a newline, and its first line is line `firstLine` (from 1) of the file. */
export interface LineBlock {
  bytes: Buffer;
  firstLine: number;
}

/** Largest file that is read, after decompression, unless the caller says otherwise. */
export const MAXIMUM_FILE_BYTES = 16 * 2 ** 30;

type LineOptions = Pick<ReadOptions, 'maximumBytes' | 'bytes' | 'wholeLines'>;

const CHUNK_BYTES = 1 << 20;
const LONGEST_LINE_BYTES = 64 << 20;
const NEWLINE = 10;

/** The first bytes of a file, enough for its magic number, and its size. */
async function beginning(path: string): Promise<{ magic: Buffer; sizeBytes: number }> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return { magic: buffer.subarray(0, bytesRead), sizeBytes: (await file.stat()).size };
  } finally {
    await file.close();
  }
}

function dataError(path: string, thrown: unknown): WarrenError {
  if (thrown instanceof WarrenError) return thrown;
  const error = coerceError(thrown);
  const code = 'code' in error ? error.code : undefined;
  let what = `cannot be read: ${error.message}`;
  if (code === 'Z_BUF_ERROR') what = 'is a truncated gzip file: its end is missing. Copy or download it again';
  else if (typeof code === 'string' && code.startsWith('Z_')) what = `is a damaged gzip file (${error.message})`;
  return new WarrenError('DATA_ERROR', `${path} ${what}`, { path, cause: error });
}

/** The bytes of a file as they are after decompression, which is recognised by content and not by name. */
async function* plainChunks(path: string, bytes: Uint8Array | undefined): AsyncGenerator<Buffer> {
  const { magic, sizeBytes } = bytes === undefined ? await beginning(path) : { magic: bytes, sizeBytes: bytes.length };
  const chunkBytes = Math.max(4096, Math.min(CHUNK_BYTES, sizeBytes));
  const file =
    bytes === undefined ? createReadStream(path, { highWaterMark: chunkBytes }) : Readable.from([Buffer.from(bytes)]);
  if (magic[0] !== 0x1f || magic[1] !== 0x8b) {
    yield* file as AsyncIterable<Buffer>;
    return;
  }
  const unzipped = createGunzip({ chunkSize: Math.max(1 << 16, chunkBytes) });
  const done = pipeline(file, unzipped);
  done.catch(() => undefined);
  yield* unzipped as AsyncIterable<Buffer>;
  await done;
}

/**
 * Reads a text file, gzipped or plain, as blocks of whole lines, at most a chunk in memory at a time. A byte order mark is
 * dropped and a missing last newline is added, or refused. Throws DATA_ERROR for truncated or damaged gzip, UTF-16, files
 * without line ends, and files of more than `maximumBytes` after decompression.
 */
export async function* lineBlocks(
  path: string,
  { maximumBytes = MAXIMUM_FILE_BYTES, bytes, wholeLines = false }: LineOptions = {},
): AsyncGenerator<LineBlock> {
  let totalBytes = 0;
  let firstLine = 1;
  let rest: Buffer[] = [];
  let restBytes = 0;
  let started = false;
  try {
    for await (let chunk of plainChunks(path, bytes)) {
      totalBytes += chunk.length;
      if (totalBytes > maximumBytes) {
        const limit = `${(maximumBytes / 2 ** 20).toLocaleString('en')} MiB`;
        throw new WarrenError('DATA_ERROR', `${path} holds more than ${limit}, the most that is read. Split it`, {
          path,
        });
      }
      if (!started) {
        started = true;
        if ((chunk[0] === 0xff && chunk[1] === 0xfe) || (chunk[0] === 0xfe && chunk[1] === 0xff)) {
          throw new WarrenError('DATA_ERROR', `${path} is UTF-16 text. Save it as UTF-8`, { path });
        }
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
  } catch (thrown) {
    throw dataError(path, thrown);
  }
  if (restBytes > 0 && wholeLines) {
    const message = `${path}:${firstLine} is cut off: the last line has no line end. Copy or download the file again`;
    throw new WarrenError('DATA_ERROR', message, { path: `${path}:${firstLine}` });
  }
  if (restBytes > 0) yield { bytes: Buffer.concat([...rest, Buffer.from('\n')]), firstLine };
}

function countLines(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) lines++;
  return lines;
}
