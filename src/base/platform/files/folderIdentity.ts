import { statSync } from 'node:fs';

/**
 * What a folder keeps when it is renamed, and what neither its copy nor a later folder has: device, inode and time of
 * birth (0 where the file system keeps none). The inode alone would not do: that of a removed folder is given to another.
 * Null when there is no such folder.
 */
export function folderIdentity(path: string): string | null {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? null : `${found.dev}:${found.ino}:${found.birthtimeNs}`;
}
