import { readdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { contentPath, damagedPath, fileFacts, incomingFolder, listContent } from './artifactFiles.ts';
import type { StoreUsage } from './artifactStore.ts';

/** Looks at every file of the store in a folder. */
export async function folderUsage(folder: string): Promise<StoreUsage> {
  const { bavail, blocks, bsize } = await statfs(folder);
  const usage = { files: 0, bytes: 0, damagedFiles: 0, freeBytes: bavail * bsize, volumeBytes: blocks * bsize };
  const count = async (paths: readonly string[]): Promise<number> => {
    const facts = await Promise.all(paths.map(fileFacts));
    const found = facts.filter((one) => one !== null);
    usage.files += found.length;
    usage.bytes += found.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    return found.length;
  };
  for await (const { names, damaged } of listContent(folder)) {
    const found = await count(names.map((name) => (damaged ? damagedPath : contentPath)(folder, name)));
    if (damaged) usage.damagedFiles += found;
  }
  await count((await readdir(incomingFolder(folder))).map((name) => join(incomingFolder(folder), name)));
  return usage;
}
