import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { extract as createExtract } from 'tar-stream';
import { WarrenError } from '#src/base/contracts/errors.ts';
import { chooseMember, type Member } from './chooseMember.ts';

/** An archive as it lies on the disk, or in memory. */
export interface ArchiveSource {
  path: string;
  /** In place of the file. */
  bytes: Uint8Array | null;
}

/** A member of an archive, of which nothing is written to the disk. */
export interface OpenMember {
  name: string;
  chunks: AsyncIterable<Buffer>;
}

/**
 * Opens the member of a zip that `chooseMember` finds. Throws DATA_ERROR as that does, and for members that are encrypted.
 */
export async function openZipMember({ path, bytes }: ArchiveSource, asked: string | undefined): Promise<OpenMember> {
  const { default: yauzl } = await import('yauzl');
  const options = { lazyEntries: true, autoClose: false } as const;
  const zip =
    bytes === null
      ? await yauzl.openPromise(path, options)
      : await yauzl.fromBufferPromise(Buffer.from(bytes), options);
  try {
    const entries = [];
    for await (const entry of zip.eachEntry()) if (!entry.fileName.endsWith('/')) entries.push(entry);
    const members: Member[] = entries.map(({ fileName: name, uncompressedSize: sizeBytes }) => ({ name, sizeBytes }));
    const name = chooseMember(path, members, asked);
    const entry = entries.find(({ fileName }) => fileName === name)!;
    if (entry.isEncrypted()) {
      throw new WarrenError('DATA_ERROR', `${path}: ${name} is encrypted. Unpack it with its password`, { path });
    }
    const stream = await zip.openReadStreamPromise(entry);
    stream.once('close', () => zip.close());
    return { name, chunks: stream as AsyncIterable<Buffer> };
  } catch (thrown) {
    zip.close();
    throw thrown;
  }
}

/**
 * Opens the member of a tar that `chooseMember` finds; `reopen` begins the archive anew, since it tells only at its end what it
 * holds. Throws DATA_ERROR as `chooseMember` does.
 */
export async function openTarMember(
  path: string,
  reopen: () => AsyncIterable<Buffer>,
  asked: string | undefined,
): Promise<OpenMember> {
  const members: Member[] = [];
  for await (const { header, stream } of entriesOf(reopen())) {
    if (header.type === 'file') members.push({ name: header.name, sizeBytes: header.size ?? 0 });
    stream.resume();
  }
  const name = chooseMember(path, members, asked);
  return { name, chunks: contentOf(reopen(), name) };
}

async function* contentOf(chunks: AsyncIterable<Buffer>, name: string): AsyncGenerator<Buffer> {
  for await (const { header, stream } of entriesOf(chunks)) {
    if (header.type === 'file' && header.name === name) {
      yield* stream as AsyncIterable<Buffer>;
      return;
    }
    stream.resume();
  }
}

async function* entriesOf(chunks: AsyncIterable<Buffer>) {
  const extract = createExtract();
  const done = pipeline(Readable.from(chunks, { objectMode: false }), extract);
  done.catch(() => undefined);
  for await (const stream of extract) yield { header: stream.header, stream };
  await done;
}
