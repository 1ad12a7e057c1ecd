import { chmodSync, statSync } from 'node:fs';

/** Closes a folder of ours to everybody else, unless others were kept out already: then its group may have been let in on purpose. */
export function closeToOthers(folder: string): void {
  const { mode, uid } = statSync(folder);
  if (uid === process.getuid?.() && (mode & 0o007) !== 0) chmodSync(folder, 0o700);
}
