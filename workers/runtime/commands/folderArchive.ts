import { createHash } from 'node:crypto';
import { constants, createReadStream, createWriteStream } from 'node:fs';
import { lstat, mkdir, open, opendir, readlink, realpath, symlink } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract as createExtract, type Header, pack as createPack } from 'tar-stream';
import { WarrenError } from '#src/base/contracts/errors.ts';
import { coerceError } from '#src/base/lib/coerceError.ts';

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

/**
 * Files of a folder, and symbolic links within it, by path. What vanishes meanwhile is left out.
 * @param owner The user whose files alone count; null for anybody's.
 */
export async function folderEntries(folder: string, owner: number | null = null): Promise<FolderEntry[]> {
  const entries: FolderEntry[] = [];
  const visit = async (parent: string): Promise<void> => {
    for await (const { name } of await opendir(parent)) {
      const whole = join(parent, name);
      const facts = await lstat(whole).catch(() => null);
      if (facts === null || (owner !== null && facts.uid !== owner)) continue;
      if (facts.isDirectory()) await visit(whole).catch(ignoreMissing);
      else if (facts.isFile() || facts.isSymbolicLink()) {
        const link = facts.isSymbolicLink() ? await linkInside(folder, whole) : null;
        if (link === '') continue;
        const path = relative(folder, whole).split(sep).join('/');
        entries.push({ path, sizeBytes: facts.size, modifiedMs: facts.mtimeMs, mode: facts.mode & 0o777, link });
      }
    }
  };
  await visit(folder);
  return entries.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Where a link leads, from its own folder; empty where that is outside, and of no use in another place. */
async function linkInside(folder: string, path: string): Promise<string> {
  const target = resolve(dirname(path), await readlink(path).catch(() => '/'));
  return target === folder || target.startsWith(folder + sep) ? relative(dirname(path), target) || '.' : '';
}

function ignoreMissing(thrown: unknown): void {
  if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT')) throw thrown;
}

/**
 * Writes entries of a folder into a tar archive. No file of another than the owner is read, whatever a link that was put in
 * its place meanwhile leads to. @throws when a file vanishes or changes its size meanwhile.
 */
export async function packEntries(
  folder: string,
  entries: readonly FolderEntry[],
  { target, owner = null }: { target: string; owner?: number | null },
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
      else await pipeline(await openOwned(join(folder, path), owner), pack.entry({ ...common, size }));
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

/** Opens a regular file of the owner, and nothing that a link leads to or that would wait. */
async function openOwned(path: string, owner: number | null): Promise<Readable> {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  const facts = await file.stat();
  if (facts.isFile() && (owner === null || facts.uid === owner)) return file.createReadStream();
  await file.close();
  throw new Error(`${path} has become another file`);
}

/** What a compressed archive may become: twice the files that `warren run` packs. */
const MOST_BYTES = 2 ** 31;

/** Ends an archive in which a few bytes were made to fill the disk. */
function bounded(mostBytes: number): Transform {
  let left = mostBytes;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      left -= chunk.byteLength;
      const message = `the archive unpacks to more than ${Math.round(mostBytes / 2 ** 20)} MiB`;
      done(left < 0 ? new WarrenError('DATA_ERROR', message) : null, chunk);
    },
  });
}

/**
 * Unpacks a tar archive into a folder, outside of which it writes nothing, and no link of it leads.
 * @throws WarrenError DATA_ERROR for an archive that cannot be read, that would write elsewhere or that is too large.
 */
export async function unpackArchive(
  file: string,
  folder: string,
  { gzipped, signal, mostBytes = MOST_BYTES }: { gzipped: boolean; signal: AbortSignal; mostBytes?: number },
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const extract = createExtract();
  const source = createReadStream(file);
  const reading = gzipped ? pipeline(source, createGunzip(), bounded(mostBytes), extract) : pipeline(source, extract);
  reading.catch(() => {}); // the loop below throws what it does
  const links = new Set<string>();
  try {
    for await (const entry of extract) {
      signal.throwIfAborted();
      await place(entry.header, entry, { folder, links });
      entry.resume();
    }
    await reading;
    await expectInside(folder, links);
  } catch (thrown) {
    extract.destroy();
    if (thrown instanceof WarrenError || signal.aborted) throw thrown;
    throw new WarrenError('DATA_ERROR', `the archive cannot be unpacked: ${coerceError(thrown).message}`, {
      cause: thrown,
    });
  }
}

async function place(
  header: Header,
  content: AsyncIterable<unknown>,
  { folder, links }: { folder: string; links: Set<string> },
): Promise<void> {
  const path = inside(folder, header.name, header.name);
  // through a link whose way up is shorter than its name, a member would come to lie elsewhere
  for (let parent = dirname(path); parent.length > folder.length; parent = dirname(parent)) {
    if (links.has(parent)) throw leaves(header.name);
  }
  if (header.type === 'directory') {
    await mkdir(path, { recursive: true });
    return;
  }
  await mkdir(dirname(path), { recursive: true });
  if (header.type === 'symlink') {
    const target = header.linkname ?? '';
    inside(folder, relative(folder, resolve(dirname(path), target)), header.name);
    await symlink(target, path);
    links.add(path);
  } else if (header.type === 'file') {
    await pipeline(content, createWriteStream(path, { mode: (header.mode ?? 0o644) & 0o777, flags: 'wx' }));
  }
}

/** Links that lead through others may lead elsewhere than their words say. */
async function expectInside(folder: string, links: ReadonlySet<string>): Promise<void> {
  const home = await realpath(folder);
  for (const link of links) {
    // of one that leads to nothing, where that would come to lie; not by its words, which `join` would shorten
    const parent = (await readlink(link)).split('/').slice(0, -1).join('/');
    const place = await realpath(link).catch(() => realpath(`${dirname(link)}/${parent}`).catch(() => home));
    if (place !== home && !place.startsWith(home + sep)) throw leaves(relative(folder, link));
  }
}

/** The path of a member. @throws WarrenError DATA_ERROR when it is not inside the folder. */
function inside(folder: string, name: string, member: string): string {
  const path = resolve(folder, name);
  if (path === folder || path.startsWith(folder + sep)) return path;
  throw leaves(member);
}

function leaves(member: string): WarrenError {
  return new WarrenError('DATA_ERROR', `the archive's member "${member}" would leave its folder`);
}
