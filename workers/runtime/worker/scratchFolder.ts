import { chmod, mkdir, readdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { CommandUser, ContainerEngine } from '#src/base/contracts/executorMessages.ts';
import { isAlive } from '#src/base/platform/processes/processTree.ts';
import { removeAttemptFolders } from '../commands/commandPlace.ts';
import { endLeftPrograms } from '../commands/leftPrograms.ts';

export interface ScratchFolderOptions {
  /** As whom programs of users run; that user can pass through the folder. */
  user?: CommandUser | null;
  /** What runs their containers. */
  engine: ContainerEngine | null;
  /** Told what of others cannot be removed, and stays. */
  warn(message: string): void;
}

/**
 * Makes the scratch folder of this process, `<home>/scratch/<host>-<pid>`, empty, and removes those that processes of this
 * host have left which were killed, with programs of users that outlived them.
 */
export async function createScratchFolder(
  home: string,
  { user = null, engine, warn }: ScratchFolderOptions,
): Promise<string> {
  const parent = join(home, 'scratch');
  const prefix = `${hostname()}-`;
  const own = `${prefix}${process.pid}`;
  await mkdir(parent, { recursive: true });
  for (const name of await readdir(parent)) {
    const pid = Number(name.slice(prefix.length));
    const isLeft = name.startsWith(prefix) && Number.isSafeInteger(pid) && !isAlive(pid);
    if (isLeft) await endLeftPrograms(join(parent, name), engine);
    if (isLeft || name === own) await removeAttemptFolders(join(parent, name), { user, warn });
  }
  const folder = join(parent, own);
  await mkdir(folder, { recursive: true });
  if (user !== null) await chmod(folder, 0o711);
  return folder;
}
