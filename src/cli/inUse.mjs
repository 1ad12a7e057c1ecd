import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { sep } from 'node:path';

/**
 * Whether a process runs a program of this folder: it may load any of the files that it was built with later. Where the
 * system has no `/proc`, nothing is known, and it is taken not to be.
 * @param {string} folder An absolute path.
 */
export function isInUse(folder) {
  if (!existsSync('/proc/self/cmdline')) return false;
  return readdirSync('/proc').some((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
        .split('\0')
        .some((part) => part.startsWith(folder + sep));
    } catch {
      return false; // it has ended, or is another user's
    }
  });
}
