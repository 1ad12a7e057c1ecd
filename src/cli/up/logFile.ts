import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { cutLog, keepLogBounded } from '#src/base/platform/files/boundedLog.ts';

/**
 * Opens `<folder>/<name>.log` for appending and answers its descriptor, which stays open for children to inherit; the file is kept
 * within bounds while they write.
 */
export async function openLogFile(folder: string, name: string): Promise<number> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, `${name}.log`);
  await cutLog(path);
  const handle = await open(path, 'a', 0o600);
  kept.push(handle);
  keepLogBounded(path);
  return handle.fd;
}

/** A FileHandle that is collected closes its descriptor: these live as long as the process. */
const kept: unknown[] = [];
