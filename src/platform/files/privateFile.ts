import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
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
