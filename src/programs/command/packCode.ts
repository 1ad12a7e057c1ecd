import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { lstat, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { pack as createPack, type Pack } from 'tar-stream';
import { badInput } from '#src/base/contracts/errors.ts';

export interface PackedCode {
  sha256: string;
  files: number;
  /** Before it was compressed. */
  bytes: number;
  /** Paths that are no files, such as those of submodules. */
  left: string[];
}

const MOST_BYTES = 1024 ** 3;
const FIRST_DAY = new Date(0);

/**
 * Writes files into a .tar.gz. The same files give the same bytes: neither their times, nor who owns them, nor anything but
 * whether they may be executed goes in.
 * @param paths Relative to `root`, with `/`. Those that are not there are left out.
 * @throws WarrenError BAD_INPUT where the files have more than 1 GiB.
 */
export async function packCode(root: string, paths: readonly string[], target: string): Promise<PackedCode> {
  const pack = createPack();
  const hash = createHash('sha256');
  const hashed = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  const writing = pipeline(pack, createGzip(), hashed, createWriteStream(target, { mode: 0o600 }));
  const packed = { files: 0, bytes: 0, left: [] as string[] };
  const filling = async (): Promise<void> => {
    for (const path of paths) await addPath(pack, { root, path, packed });
    pack.finalize();
  };
  try {
    await Promise.all([filling(), writing]);
  } catch (thrown) {
    pack.destroy();
    await writing.catch(() => {});
    throw thrown;
  }
  return { ...packed, sha256: hash.digest('hex') };
}

async function addPath(
  pack: Pack,
  { root, path, packed }: { root: string; path: string; packed: Omit<PackedCode, 'sha256'> },
): Promise<void> {
  const whole = join(root, path);
  const facts = await lstat(whole).catch(() => null);
  if (facts === null) return; // tracked, and deleted in the working tree
  const common = { name: path, mtime: FIRST_DAY, uid: 0, gid: 0 };
  if (facts.isSymbolicLink()) {
    pack.entry({ ...common, type: 'symlink', linkname: await readlink(whole), mode: 0o777 });
  } else if (facts.isFile()) {
    packed.bytes += facts.size;
    if (packed.bytes > MOST_BYTES) {
      throw badInput(
        `the files of ${root} have more than 1 GiB (${path} has ${Math.round(facts.size / 2 ** 20)} MiB): leave data out with .gitignore`,
      );
    }
    const mode = (facts.mode & 0o100) === 0 ? 0o644 : 0o755;
    const entry = pack.entry({ ...common, size: facts.size, mode });
    await pipeline(createReadStream(whole, { end: Math.max(0, facts.size - 1) }), entry);
  } else {
    packed.left.push(path);
    return;
  }
  packed.files += 1;
}
