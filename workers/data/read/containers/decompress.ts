/// <reference path="./unbzip2Stream.d.ts" />
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';

/** bzip2 packs a block of 900 kB into less than so much, or at times into a few bytes: then one chunk would hold many. */
const FED_BYTES = 64 << 10;

type Compression = 'gzip' | 'bzip2' | 'xz' | 'zstd';

async function* ofZstd(chunks: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array> {
  const { Decompress } = await import('fzstd');
  let ready: Uint8Array[] = [];
  let ended = false;
  const stream = new Decompress((data, final) => {
    // the library fills its buffer again
    if (data.length > 0) ready.push(data.slice());
    ended = final === true;
  });
  for await (const chunk of chunks) {
    stream.push(chunk);
    yield* ready;
    ready = [];
  }
  stream.push(new Uint8Array(0), true);
  yield* ready;
  if (!ended) throw new Error('its end is missing');
}

async function* ofXz(chunks: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array> {
  const { default: xz } = await import('xz-decompress');
  const reader = new xz.XzReadableStream(Readable.toWeb(Readable.from(chunks, { objectMode: false }))).getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      // a view into the memory of the program, which the next part overwrites
      yield part.value.slice();
    }
  } finally {
    // a file that is not read to its end would keep the program from the next one
    await reader.cancel();
  }
}

async function* ofBzip2(chunks: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array> {
  const { default: unbzip2 } = await import('unbzip2-stream');
  let ready: Uint8Array[] = [];
  let failure: Error | null = null;
  // it unpacks within `write`
  const stream = unbzip2();
  stream.on('data', (part: Buffer) => ready.push(part));
  stream.on('error', (error: Error) => {
    failure ??= error;
  });
  const take = (): Uint8Array[] => {
    if (failure !== null) throw failure;
    const taken = ready;
    ready = [];
    return taken;
  };
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += FED_BYTES) {
      stream.write(chunk.subarray(at, at + FED_BYTES));
      yield* take();
    }
  }
  stream.end();
  yield* take();
}

async function* through(chunks: AsyncIterable<Buffer>, transform: NodeJS.ReadWriteStream): AsyncGenerator<Uint8Array> {
  const done = pipeline(Readable.from(chunks, { objectMode: false }), transform);
  done.catch(() => undefined);
  yield* transform as AsyncIterable<Buffer>;
  await done;
}

/** What was compressed, chunk by chunk; it ends in the error of the program that unpacks it. */
export async function* decompressed(
  chunks: AsyncIterable<Buffer>,
  compression: Compression,
  chunkBytes: number,
): AsyncGenerator<Uint8Array> {
  if (compression === 'gzip') yield* through(chunks, createGunzip({ chunkSize: Math.max(1 << 16, chunkBytes) }));
  else if (compression === 'zstd') yield* ofZstd(chunks);
  else if (compression === 'xz') yield* ofXz(chunks);
  else yield* ofBzip2(chunks);
}
