import { mkdir, open, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** A log that has grown beyond this is put aside as `.old` at the next start. */
const MAXIMUM_BYTES = 10 * 1024 * 1024;

/** Opens `<folder>/<name>.log` for appending and answers its descriptor, which stays open for children to inherit. */
export async function openLogFile(folder: string, name: string): Promise<number> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, `${name}.log`);
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size > MAXIMUM_BYTES) await rename(path, `${path}.old`);
  const handle = await open(path, 'a', 0o600);
  kept.push(handle);
  return handle.fd;
}

/** A FileHandle that is collected closes its descriptor: these live as long as the process. */
const kept: unknown[] = [];
