import { spawn } from 'node:child_process';
import { chmod, lchown, lstat, mkdir, readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { CommandUser } from '#src/base/contracts/executorMessages.ts';
import { exitOf } from '#src/base/platform/processes/processTree.ts';
import { asUser } from './commandUser.ts';

const OWNER_ALONE = 0o700;
/** Empties a folder, whatever the modes of what is in it. */
const EMPTY = 'chmod -R u+rwX -- "$1" 2>/dev/null; find "$1" -mindepth 1 -delete';

/** Makes a folder that its maker alone can enter: what is put there is safe from the user until it is handed over. */
export async function makeClosedFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: OWNER_ALONE });
}

/** Gives a closed folder with all that is in it to the user; it goes last, so that nobody meddles meanwhile. */
export async function handOver(folder: string, user: CommandUser | null): Promise<void> {
  if (user === null) return;
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await handOver(path, user);
    else await lchown(path, user.uid, user.gid);
  }
  await chmod(folder, OWNER_ALONE);
  await lchown(folder, user.uid, user.gid);
}

/**
 * Removes a folder that the user owns, if it is there. Its content is removed by a process of that user: a link that is put
 * in its place meanwhile leads nowhere else. One that was never handed over is still closed, so that root can remove it.
 */
export async function removeOwned(folder: string, user: CommandUser | null): Promise<void> {
  const facts = user === null ? null : await lstat(folder).catch(ignoreMissing);
  if (facts === undefined) return;
  if (user === null || facts?.uid === 0) {
    await rm(folder, { recursive: true, force: true });
    return;
  }
  const [program = '', ...parameters] = asUser(user, ['sh', '-c', EMPTY, 'sh', folder]);
  await exitOf(spawn(program, parameters, { stdio: 'ignore', cwd: '/', env: { PATH: process.env.PATH } }));
  await rmdir(folder).catch(ignoreMissing);
}

function ignoreMissing(thrown: unknown): undefined {
  if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT')) throw thrown;
}
