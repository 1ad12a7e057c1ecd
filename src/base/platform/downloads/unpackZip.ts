import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Entry, ZipFile } from 'yauzl';
import { WarrenError } from '#src/base/contracts/errors.ts';
import { coerceError } from '#src/base/lib/coerceError.ts';

export interface UnpackOptions {
  /** Members that are wanted, and the file in the folder that each becomes. A member may lie in any folder of the archive. */
  members: Readonly<Record<string, string>>;
  /** Most bytes of all of them together. */
  maximumBytes: number;
}

/** Ends a stream that holds more than is left, whatever sizes the archive claims. */
function limiter(left: { bytes: number }, error: () => WarrenError): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      left.bytes -= chunk.length;
      done(left.bytes < 0 ? error() : null, chunk);
    },
  });
}

async function unpackEntry(zip: ZipFile, entry: Entry, target: { path: string; limit: Transform }): Promise<void> {
  await mkdir(dirname(target.path), { recursive: true });
  try {
    await pipeline(
      await zip.openReadStreamPromise(entry),
      target.limit,
      createWriteStream(target.path, { flags: 'wx' }),
    );
  } catch (thrown) {
    await rm(target.path, { force: true });
    throw thrown;
  }
}

/**
 * Takes the wanted members, and nothing else, out of a zip into a folder, under names that the caller chooses: no path of
 * the archive is ever followed. Throws DATA_ERROR for archives that are damaged, encrypted or hold unsafe names, for
 * members that are missing or come twice, and TOO_LARGE where they hold more than `maximumBytes`.
 */
export async function unpackZip(archive: string, folder: string, options: UnpackOptions): Promise<void> {
  const wanted = new Map(Object.entries(options.members));
  const left = { bytes: options.maximumBytes };
  const tooLarge = (): WarrenError =>
    new WarrenError('TOO_LARGE', `${archive} unpacks to more than ${options.maximumBytes} bytes`, { path: archive });
  const { default: yauzl } = await import('yauzl');
  let zip: ZipFile | null = null;
  try {
    zip = await yauzl.openPromise(archive, { lazyEntries: true, autoClose: false, strictFileNames: true });
    for await (const entry of zip.eachEntry()) {
      const member = [...wanted.keys()].find((name) => entry.fileName === name || entry.fileName.endsWith(`/${name}`));
      if (member === undefined) continue;
      if (entry.uncompressedSize > left.bytes) throw tooLarge();
      await unpackEntry(zip, entry, { path: join(folder, wanted.get(member)!), limit: limiter(left, tooLarge) });
      wanted.delete(member);
    }
  } catch (thrown) {
    if (thrown instanceof WarrenError) throw thrown;
    const message = `${archive} cannot be unpacked: ${coerceError(thrown).message}`;
    throw new WarrenError('DATA_ERROR', message, { path: archive, cause: thrown });
  } finally {
    zip?.close();
  }
  if (wanted.size === 0) return;
  throw new WarrenError('DATA_ERROR', `${archive} does not hold ${[...wanted.keys()].join(', ')}`, { path: archive });
}
