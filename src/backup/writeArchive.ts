import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { pack as createPack } from 'tar-stream';
import { WarrenError } from '#src/base/contracts/errors.ts';
import { coerceError } from '#src/base/lib/coerceError.ts';
import type { ArchiveManifest } from './archiveManifest.ts';

export interface ArchiveWriter {
  /** Adds a member of a known size. @throws WarrenError DATA_ERROR when the content has another one. */
  add(name: string, sizeBytes: number, content: AsyncIterable<Uint8Array>): Promise<void>;
  /** What was added, with digests. */
  members: ArchiveManifest['members'];
}

/**
 * Writes a tar archive that its owner alone can read, compressed by gzip where its name ends in `.gz` or `.tgz`, under a temporary name
 * beside `path`: it gets its name when `fill` is done and everything is on disk. Whatever is thrown, and an abort of `signal`, leaves no file.
 * @throws WarrenError CONFLICT when there is such a file already.
 */
export async function writeArchive(
  path: string,
  fill: (archive: ArchiveWriter) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  const partial = `${path}.${process.pid}.partial`;
  const pack = createPack();
  // A dead process of the same number may have left one.
  await rm(partial, { force: true });
  const file = createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true });
  const writing = /\.t?gz$/.test(path) ? pipeline(pack, createGzip({ level: 9 }), file) : pipeline(pack, file);
  let broken: unknown = null;
  // looked at with each member and at the end
  writing.catch((thrown: unknown) => {
    broken ??= thrown;
  });
  const members: ArchiveWriter['members'] = [];
  const add: ArchiveWriter['add'] = async (name, sizeBytes, content) => {
    signal?.throwIfAborted();
    const hash = createHash('sha256');
    let seen = 0;
    async function* counted() {
      for await (const chunk of content) {
        hash.update(chunk);
        seen += chunk.byteLength;
        yield chunk;
      }
      if (seen !== sizeBytes) throw new WarrenError('DATA_ERROR', `${name}: expected ${sizeBytes} bytes, got ${seen}`);
    }
    const entry = pack.entry({ name, size: sizeBytes });
    // A disk that is full ends the writing, and nothing would take the member any more.
    await Promise.race([pipeline(Readable.from(counted()), entry), writing]);
    members.push({ name, sizeBytes, sha256: hash.digest('hex') });
  };
  try {
    await fill({ add, members });
    pack.finalize();
    await writing;
    await refuseExisting(path);
    await rename(partial, path);
    await syncFolder(dirname(path));
  } catch (thrown) {
    // once the file has failed, the pack refuses members without saying why
    const cause = broken === null ? thrown : unwritable(path, broken);
    pack.destroy();
    await writing.catch(() => {});
    await rm(partial, { force: true });
    throw cause;
  }
}

function unwritable(path: string, cause: unknown): WarrenError {
  const missing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
  const why = missing ? `there is no folder ${dirname(path)}` : coerceError(cause).message;
  return new WarrenError('BAD_INPUT', `cannot write ${path}: ${why}; no file was left`, { cause });
}

/** @throws WarrenError CONFLICT: an older archive is not overwritten. */
export async function refuseExisting(path: string): Promise<void> {
  const file = await open(path, 'r').catch(() => null);
  if (file === null) return;
  await file.close();
  throw new WarrenError('CONFLICT', `${path} exists already; choose another name, or move it away`);
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => null);
  await folder?.sync().catch(() => {});
  await folder?.close();
}
