import { readdir, statfs } from 'node:fs/promises';
import type { ArtifactStore } from './artifactStore.ts';
import { contentPath, damagedPath, fileFacts, incomingFolder } from './artifactFiles.ts';
import { join } from 'node:path';

/** What is on the disk of an artifact store. */
export interface StoreUsage {
  files: number;
  /** Of all files: content, uploads under way, and what was set aside. */
  bytes: number;
  /** Files that were found damaged and set aside. */
  damagedFiles: number;
  /** What the volume still takes, and its size. */
  freeBytes: number;
  volumeBytes: number;
}

/** Looks at every file of the store. */
export async function storeUsage({ folder, list }: ArtifactStore): Promise<StoreUsage> {
  const { bavail, blocks, bsize } = await statfs(folder);
  const usage = { files: 0, bytes: 0, damagedFiles: 0, freeBytes: bavail * bsize, volumeBytes: blocks * bsize };
  const count = async (paths: readonly string[]): Promise<number> => {
    const facts = await Promise.all(paths.map(fileFacts));
    const found = facts.filter((one) => one !== null);
    usage.files += found.length;
    usage.bytes += found.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    return found.length;
  };
  for await (const { names, damaged } of list()) {
    const found = await count(names.map((name) => (damaged ? damagedPath : contentPath)(folder, name)));
    if (damaged) usage.damagedFiles += found;
  }
  await count((await readdir(incomingFolder(folder))).map((name) => join(incomingFolder(folder), name)));
  return usage;
}
