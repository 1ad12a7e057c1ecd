import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { lstat, mkdir, opendir, readlink, symlink } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract as createExtract, type Header, pack as createPack } from 'tar-stream';
import { WarrenError } from '#src/contracts/errors.ts';
import { coerceError } from '#src/lib/coerceError.ts';

/** A file of a folder, or what stands for one. */
export interface FolderEntry {
  /** Relative, with `/`. */
  path: string;
  sizeBytes: number;
  modifiedMs: number;
  mode: number;
  /** Where a symbolic link leads; null for a file. */
  link: string | null;
}

/** Files and symbolic links of a folder, by path. What vanishes meanwhile is left out. */
export async function folderEntries(folder: string): Promise<FolderEntry[]> {
  const entries: FolderEntry[] = [];
  const visit = async (parent: string): Promise<void> => {
    for await (const { name } of await opendir(parent)) {
      const whole = join(parent, name);
      const facts = await lstat(whole).catch(() => null);
      if (facts === null) continue;
      if (facts.isDirectory()) await visit(whole).catch(ignoreMissing);
      else if (facts.isFile() || facts.isSymbolicLink()) {
        const link = facts.isSymbolicLink() ? await readlink(whole).catch(() => '') : null;
        const path = relative(folder, whole).split(sep).join('/');
        entries.push({ path, sizeBytes: facts.size, modifiedMs: facts.mtimeMs, mode: facts.mode & 0o777, link });
      }
    }
  };
  await visit(folder);
  return entries.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function ignoreMissing(thrown: unknown): void {
  if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT')) throw thrown;
}

/** Writes entries of a folder into a tar archive. @throws when a file vanishes or changes its size meanwhile. */
export async function packEntries(
  folder: string,
  entries: readonly FolderEntry[],
  target: string,
): Promise<{ sha256: string; sizeBytes: number }> {
  const pack = createPack();
  const hash = createHash('sha256');
  let sizeBytes = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      sizeBytes += chunk.byteLength;
      done(null, chunk);
    },
  });
  const writing = pipeline(pack, counted, createWriteStream(target, { mode: 0o600 }));
  const filling = async (): Promise<void> => {
    for (const { path, sizeBytes: size, modifiedMs, mode, link } of entries) {
      const common = { name: path, mtime: new Date(modifiedMs), mode, uid: 0, gid: 0 };
      if (link !== null) pack.entry({ ...common, type: 'symlink', linkname: link });
      else await pipeline(createReadStream(join(folder, path)), pack.entry({ ...common, size }));
    }
    pack.finalize();
  };
  try {
    await Promise.all([filling(), writing]);
  } catch (thrown) {
    pack.destroy();
    await writing.catch(() => {});
    throw thrown;
  }
  return { sha256: hash.digest('hex'), sizeBytes };
}

/**
 * Unpacks a tar archive into a folder, outside of which it writes nothing.
 * @throws WarrenError DATA_ERROR for an archive that cannot be read, or that would write elsewhere.
 */
export async function unpackArchive(
  file: string,
  folder: string,
  { gzipped, signal }: { gzipped: boolean; signal: AbortSignal },
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const extract = createExtract();
  const source = createReadStream(file);
  const reading = gzipped ? pipeline(source, createGunzip(), extract) : pipeline(source, extract);
  reading.catch(() => {}); // the loop below throws what it does
  try {
    for await (const entry of extract) {
      signal.throwIfAborted();
      await place(entry.header, entry, folder);
      entry.resume();
    }
    await reading;
  } catch (thrown) {
    extract.destroy();
    if (thrown instanceof WarrenError || signal.aborted) throw thrown;
    throw new WarrenError('DATA_ERROR', `the archive cannot be unpacked: ${coerceError(thrown).message}`, {
      cause: thrown,
    });
  }
}

async function place(header: Header, content: AsyncIterable<unknown>, folder: string): Promise<void> {
  const path = inside(folder, header.name, header.name);
  if (header.type === 'directory') {
    await mkdir(path, { recursive: true });
    return;
  }
  await mkdir(dirname(path), { recursive: true });
  if (header.type === 'symlink') {
    const target = header.linkname ?? '';
    inside(folder, relative(folder, resolve(dirname(path), target)), header.name);
    await symlink(target, path);
  } else if (header.type === 'file') {
    await pipeline(content, createWriteStream(path, { mode: header.mode ?? 0o644, flags: 'wx' }));
  }
}

/** The path of a member. @throws WarrenError DATA_ERROR when it is not inside the folder. */
function inside(folder: string, name: string, member: string): string {
  const path = resolve(folder, name);
  if (path === folder || path.startsWith(folder + sep)) return path;
  throw new WarrenError('DATA_ERROR', `the archive's member "${member}" would leave its folder`);
}
