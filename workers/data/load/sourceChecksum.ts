import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { stableHash } from '#src/base/lib/stableHash.ts';
import { writeAtomically } from './writeAtomically.ts';

const SHA256 = /^[0-9a-f]{64}$/;

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/**
 * sha256 of a file. With a cache folder the checksum is remembered by path, size, inode and modification time, so that
 * a large file is hashed once.
 */
export async function sourceChecksum(path: string, cacheFolder: string | null): Promise<string> {
  if (cacheFolder === null) return sha256Of(path);
  const { size, mtimeNs, ino } = await stat(path, { bigint: true });
  const key = stableHash([path, String(size), String(mtimeNs), String(ino)]).slice(0, 32);
  const remembered = join(cacheFolder, 'checksums', key);
  const text = await readFile(remembered, 'utf8').catch(() => '');
  if (SHA256.test(text)) return text;
  const checksum = await sha256Of(path);
  await writeAtomically(remembered, [Buffer.from(checksum)]).catch(() => undefined);
  return checksum;
}
