import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { coerceError } from '#src/base/lib/coerceError.ts';
import { WarrenError } from '#src/base/contracts/errors.ts';
import type { ReadOptions } from '../readOptions.ts';
import { type ArchiveSource, openTarMember, openZipMember } from './archives.ts';
import { columnText } from './columnFiles.ts';
import { decompressed } from './decompress.ts';
import { containerOf, otherFileOf, SIGNATURE_BYTES } from './signatures.ts';
import { limited } from './sizeLimit.ts';
import { toUtf8 } from './toUtf8.ts';

/** Largest file that is read, after decompression, unless the caller says otherwise. */
export const MAXIMUM_FILE_BYTES = 16 * 2 ** 30;
/** Largest file in an archive or behind a compression that has to be in memory as a whole. */
const MAXIMUM_IN_MEMORY = 2 * 2 ** 30;
const CHUNK_BYTES = 1 << 20;
/** A tar in a gzip in a zip; more is no data. */
const DEEPEST = 4;

type TextOptions = Pick<ReadOptions, 'maximumBytes' | 'bytes' | 'member' | 'encoding' | 'onMember'>;

interface Opening {
  path: string;
  maximumBytes: number;
  chunkBytes: number;
  member: string | undefined;
  encoding: string | undefined;
  onMember: (name: string) => void;
}

/** The chunks of a file. A copy of its bytes is cut, too, so that it is read in the same way. */
async function* fileChunks({ path, bytes }: ArchiveSource, chunkBytes: number): AsyncGenerator<Buffer> {
  if (bytes === null) {
    yield* createReadStream(path, { highWaterMark: chunkBytes }) as AsyncIterable<Buffer>;
    return;
  }
  const all = Buffer.from(bytes);
  for (let at = 0; at < all.length; at += chunkBytes) yield all.subarray(at, at + chunkBytes);
}

/** The first bytes of chunks, and all chunks. */
async function peek(chunks: AsyncIterable<Buffer>): Promise<{ first: Buffer; all: AsyncIterable<Buffer> }> {
  const iterator = chunks[Symbol.asyncIterator]();
  const met: Buffer[] = [];
  let length = 0;
  while (length < SIGNATURE_BYTES) {
    const next = await iterator.next();
    if (next.done === true) break;
    met.push(next.value);
    length += next.value.length;
  }
  async function* whole(): AsyncGenerator<Buffer> {
    try {
      yield* met;
      for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
    } finally {
      await iterator.return?.();
    }
  }
  return { first: Buffer.concat(met).subarray(0, SIGNATURE_BYTES), all: whole() };
}

async function collect(chunks: AsyncIterable<Buffer>, path: string): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const chunk of limited(chunks, { path, maximumBytes: MAXIMUM_IN_MEMORY })) parts.push(chunk);
  return Buffer.concat(parts);
}

/**
 * What lies inside, whatever it is packed in. `source` is the file itself at the outermost level, where archives are read
 * where they lie, and null further in.
 */
async function* unpacked(
  reopen: () => AsyncIterable<Buffer>,
  source: ArchiveSource | null,
  depth: number,
  opening: Opening,
): AsyncGenerator<Buffer> {
  const { path, maximumBytes, chunkBytes } = opening;
  const { first, all } = await peek(reopen());
  const container = containerOf(first);
  if (container === null) {
    const other = otherFileOf(first, opening.encoding);
    if (other !== null) throw new WarrenError('DATA_ERROR', `${path} is ${other}`, { path });
    yield* all;
    return;
  }
  if (depth >= DEEPEST)
    throw new WarrenError('DATA_ERROR', `${path} is packed ${depth} times over. Unpack it`, { path });
  const inside = (chunks: () => AsyncIterable<Uint8Array>) =>
    unpacked(() => limited(chunks(), { path, maximumBytes }), null, depth + 1, opening);
  switch (container) {
    case 'gzip':
    case 'bzip2':
    case 'xz':
    case 'zstd': {
      let begun = all as AsyncIterable<Buffer> | null;
      // what was looked at is read on; a second reading, of a tar, begins anew
      yield* inside(() => {
        const chunks = begun ?? reopen();
        begun = null;
        return decompressed(chunks, container, chunkBytes);
      });
      return;
    }
    case 'tar': {
      const { name, chunks } = await openTarMember(path, reopen, opening.member);
      opening.onMember(name);
      yield* inside(() => chunks);
      return;
    }
    default: {
      const whole = source ?? { path, bytes: await collect(all, path) };
      if (container === 'zip') {
        const { name, chunks } = await openZipMember(whole, opening.member);
        opening.onMember(name);
        yield* inside(() => chunks);
      } else {
        yield* limited(columnText(container === 'parquet' ? 'parquet' : 'arrow', whole), { path, maximumBytes });
      }
    }
  }
}

/** What a person can do about a file that cannot be unpacked or read. */
function dataError(path: string, thrown: unknown): WarrenError {
  if (thrown instanceof WarrenError) return thrown;
  const error = coerceError(thrown);
  const code = 'code' in error ? error.code : undefined;
  let what = `cannot be read: ${error.message}`;
  if (code === 'Z_BUF_ERROR') what = 'is a truncated gzip file: its end is missing. Copy or download it again';
  else if (typeof code === 'string' && code.startsWith('Z_')) what = `is a damaged gzip file (${error.message})`;
  else if (typeof code !== 'string' || !code.startsWith('E'))
    what = `is damaged or cut off (${error.message}). Copy or download it again`;
  return new WarrenError('DATA_ERROR', `${path} ${what}`, { path, cause: error });
}

/**
 * The text of a file in UTF-8, chunk by chunk: out of gzip, bzip2, xz, zstd, zip and tar, which are recognised by content and not
 * by name, and of the rows of Parquet and Arrow. Nothing is written to the disk. Throws DATA_ERROR for what is none of these,
 * archives that hold several files of which none is named, what is damaged, and more than `maximumBytes` at any level.
 */
export async function* openText(path: string, options: TextOptions = {}): AsyncGenerator<Buffer> {
  const { maximumBytes = MAXIMUM_FILE_BYTES, bytes = null, member, encoding, onMember = () => undefined } = options;
  try {
    const sizeBytes = bytes?.length ?? (await sizeOf(path));
    const chunkBytes = Math.max(4096, Math.min(CHUNK_BYTES, sizeBytes));
    const source: ArchiveSource = { path, bytes };
    const opening: Opening = { path, maximumBytes, chunkBytes, member, encoding, onMember };
    const chunks = unpacked(() => fileChunks(source, chunkBytes), source, 0, opening);
    yield* limited(toUtf8(chunks, { path, encoding }), { path, maximumBytes });
  } catch (thrown) {
    throw dataError(path, thrown);
  }
}

async function sizeOf(path: string): Promise<number> {
  const file = await open(path);
  try {
    return (await file.stat()).size;
  } finally {
    await file.close();
  }
}
