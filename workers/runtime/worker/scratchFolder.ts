import { mkdir, readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { isAlive } from '#src/platform/processes/processTree.ts';
import { endLeftPrograms } from '../commands/leftPrograms.ts';

/**
 * Makes the scratch folder of this process, `<home>/scratch/<host>-<pid>`, empty, and removes those that processes of this
 * host have left which were killed, with programs of users that outlived them.
 */
export async function createScratchFolder(home: string): Promise<string> {
  const parent = join(home, 'scratch');
  const prefix = `${hostname()}-`;
  const own = `${prefix}${process.pid}`;
  await mkdir(parent, { recursive: true });
  for (const name of await readdir(parent)) {
    const pid = Number(name.slice(prefix.length));
    const isLeft = name.startsWith(prefix) && Number.isSafeInteger(pid) && !isAlive(pid);
    if (isLeft) endLeftPrograms(join(parent, name));
    if (isLeft || name === own) await rm(join(parent, name), { recursive: true, force: true });
  }
  const folder = join(parent, own);
  await mkdir(folder);
  return folder;
}
