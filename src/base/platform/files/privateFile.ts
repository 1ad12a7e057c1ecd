import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync, chmodSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Writes a file that its owner alone can read. It is replaced as a whole or not at all, also when the machine crashes.
 */
export function writePrivateFile(path: string, text: string): void {
  const partial = `${path}.${process.pid}.partial`;
  rmSync(partial, { force: true });
  const file = openSync(partial, 'wx', 0o600);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(partial, path);
  if (process.platform === 'win32') return; // a folder cannot be opened there
  const folder = openSync(dirname(path), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** Closes a folder of ours to everybody else, unless others were kept out already: then its group may have been let in on purpose. */
export function closeToOthers(folder: string): void {
  const { mode, uid } = statSync(folder);
  if (uid === process.getuid?.() && (mode & 0o007) !== 0) chmodSync(folder, 0o700);
}
