import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { atEndOfFile } from './atEndOfFile.ts';
import { temporaryFolder } from './temporaryFolder.ts';

export interface SmallDisk {
  /** Where it is mounted. */
  folder: string;
  /** Leaves no room. */
  fill(): void;
  /** Gives the room back. */
  clear(): void;
}

/**
 * A file system of its own of a few mebibytes in memory, unmounted after the tests of this file; null, with the reason
 * printed, where this machine lets nobody mount one.
 */
export function smallDisk(mebibytes: number): SmallDisk | null {
  const folder = join(temporaryFolder(), 'disk');
  mkdirSync(folder);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', folder], { stdio: 'pipe' });
  } catch (error) {
    console.warn(`a small file system cannot be mounted here: ${String(error)}`);
    return null;
  }
  // before the folder itself is removed: hooks run from the last to the first
  atEndOfFile(() => execFileSync('umount', ['-l', folder]));
  const filler = join(folder, 'filler');
  return {
    folder,
    fill() {
      for (let size = 2 ** 20; size >= 1; size = Math.floor(size / 2)) {
        try {
          for (;;) writeFileSync(filler, Buffer.alloc(size), { flag: 'a' });
        } catch (error) {
          if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
        }
      }
    },
    clear: () => rmSync(filler),
  };
}
