import { constants } from 'node:fs';
import { chmod, copyFile, stat, truncate } from 'node:fs/promises';

/** A log that has grown beyond this is put aside as `.old`, in the place of the one before. */
const MAXIMUM_BYTES = 10 * 1024 * 1024;
const EVERY_MS = 60_000;

/**
 * Puts a log that has grown too large aside and goes on with an empty one. Programs that append to it keep their file, for they
 * have it open: so what is in it is copied, and lines that come between copy and cut are lost.
 * @returns whether it was too large.
 */
export async function cutLog(path: string, maximumBytes: number = MAXIMUM_BYTES): Promise<boolean> {
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size <= maximumBytes) return false;
  const old = `${path}.old`;
  // without room for the copy the log is cut all the same: it may be what has filled the disk
  await copyFile(path, old, constants.COPYFILE_FICLONE).then(
    () => chmod(old, 0o600),
    () => {},
  );
  await truncate(path, 0);
  return true;
}

/** Keeps a log within bounds for as long as this program runs, or until it is told to end. */
export function keepLogBounded(
  path: string,
  { maximumBytes = MAXIMUM_BYTES, everyMs = EVERY_MS }: { maximumBytes?: number; everyMs?: number } = {},
): () => void {
  let isCutting = false;
  const timer = setInterval(() => {
    if (isCutting) return;
    isCutting = true;
    void cutLog(path, maximumBytes)
      .catch(() => {})
      .finally(() => {
        isCutting = false;
      });
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
