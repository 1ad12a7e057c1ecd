import { existsSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { WarrenError } from '#src/base/contracts/errors.ts';
import { folderIdentity } from '../files/folderIdentity.ts';
import type { Logger } from '../logger.ts';
import { commandOf, waitForEnd } from '../processes/otherProcess.ts';

const STOP_MS = 20_000;

/**
 * Ends a server that still runs on these data, and removes a lock file that names no such server. A server on other data,
 * as on those that these were copied from, is left alone.
 * @throws WarrenError CONFLICT when it does not end.
 */
export async function stopLeftover(dataFolder: string, log: Logger): Promise<void> {
  const lockFile = join(dataFolder, 'postmaster.pid');
  if (!existsSync(lockFile)) return;
  const [first, folder = ''] = readFileSync(lockFile, 'utf8').split('\n');
  const pid = Number.parseInt(first ?? '', 10);
  if (servesFolder(pid, dataFolder)) {
    log.warn({ pid }, 'stopping a PostgreSQL that an earlier Warren left running on these data');
    for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
      process.kill(pid, signal);
      if (await waitForEnd(pid, STOP_MS)) return;
    }
    throw new WarrenError('CONFLICT', `process ${pid}, a PostgreSQL on ${dataFolder}, does not end; end it by hand`);
  }
  if (folder !== '' && existsSync(folder) && servesFolder(pid, folder)) {
    log.warn(
      `this home was copied while the database of the original, ${folder}, was running: such a copy may be damaged; ` +
        '`warren backup` there and `warren restore` here make a sound one',
    );
  }
  rmSync(lockFile, { force: true });
}

/** Whether a process is a PostgreSQL that works on this very folder, even if either was renamed since its start. */
function servesFolder(pid: number, dataFolder: string): boolean {
  const command = commandOf(pid);
  if (command?.includes('postgres') !== true) return false;
  if (process.platform === 'linux') {
    try {
      const served = folderIdentity(`/proc/${pid}/cwd`);
      if (served !== null) return served === folderIdentity(dataFolder);
    } catch {
      // Another user's process: its command line is all that can be seen.
    }
  }
  return [dataFolder, realpathSync(dataFolder)].some((path) => `${command} `.includes(` -D ${path} `));
}
