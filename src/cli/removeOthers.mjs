import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Removes from a folder what an earlier build has left: everything whose name is not among `kept`. */
export function removeOthers(folder, kept) {
  const names = new Set(kept);
  for (const name of readdirSync(folder)) {
    if (!names.has(name)) rmSync(join(folder, name), { recursive: true, force: true });
  }
}
