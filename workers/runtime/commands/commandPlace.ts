import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, lchownSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { readdir, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { badInput } from '#src/base/contracts/errors.ts';
import type { CommandUser } from '#src/base/contracts/executorMessages.ts';
import { coerceError } from '#src/base/lib/coerceError.ts';
import { builtFile } from '#src/base/lib/projectRoot.ts';
import type { Environment } from '#src/base/platform/environment.ts';
import { asUser, findCommandUser } from './commandUser.ts';
import { removeOwned } from './ownedFolder.ts';

const OTHERS_MAY_WRITE = 0o022;
const ALL_PASS_THROUGH = 0o711;

/** Where commands run, and as whom. */
export interface CommandPlace {
  /** Null: as the worker's own user. */
  user: CommandUser | null;
  /** Holds a folder `scratch` with those of attempts. */
  home: string;
  environmentsFolder: string;
  /** The clients, which programs import. */
  clientsFolder: string;
}

/**
 * Prepares where commands run: within the worker's home, or where it has another user for them in a folder that this user
 * can pass through, and only root can change.
 * @throws WarrenError BAD_INPUT that says why it cannot be.
 */
export function prepareCommandPlace(environment: Environment): CommandPlace {
  const { commandUser, commandFolder, home } = environment;
  if (commandUser === null) {
    return { user: null, home, environmentsFolder: join(home, 'environments'), clientsFolder: builtFile('clients') };
  }
  const found = findCommandUser(commandUser);
  // what one user has installed is not for another
  const folder = join(commandFolder, String(found.uid));
  const user = { ...found, cacheFolder: join(folder, 'cache') };
  const place = { user, home: folder, environmentsFolder: join(folder, 'environments') };
  const clientsFolder = join(folder, 'clients');
  mkdirSync(commandFolder, { recursive: true, mode: ALL_PASS_THROUGH });
  expectFolderOfRoot(commandFolder);
  for (const each of [folder, place.environmentsFolder, clientsFolder, join(folder, 'scratch')]) {
    mkdirSync(each, { recursive: true, mode: ALL_PASS_THROUGH });
    expectFolderOfRoot(each);
    chmodSync(each, ALL_PASS_THROUGH);
  }
  mkdirSync(user.cacheFolder, { recursive: true, mode: 0o700 });
  lchownSync(user.cacheFolder, user.uid, user.gid);
  for (const entry of readdirSync(builtFile('clients'), { withFileTypes: true })) {
    if (!entry.isFile()) continue; // what Python has compiled
    copyFileSync(join(builtFile('clients'), entry.name), join(clientsFolder, entry.name));
    chmodSync(join(clientsFolder, entry.name), 0o644);
  }
  chmodSync(clientsFolder, 0o755);
  const [program = '', ...parameters] = asUser(user, ['test', '-x', folder]);
  if (spawnSync(program, parameters, { cwd: '/' }).status !== 0) {
    const message = `WARREN_COMMAND_FOLDER: the user ${user.name} cannot reach ${folder}; name a folder that all may pass through`;
    throw badInput(message, 'WARREN_COMMAND_FOLDER');
  }
  return { ...place, clientsFolder };
}

function expectFolderOfRoot(folder: string): void {
  const facts = lstatSync(folder);
  if (facts.isDirectory() && facts.uid === 0 && (facts.mode & OTHERS_MAY_WRITE) === 0) return;
  throw badInput(
    `WARREN_COMMAND_FOLDER: expected a folder, not a link, that only root can write to: ${folder}`,
    'WARREN_COMMAND_FOLDER',
  );
}

/** Removes the scratch folder of a worker with all that can be removed of it; `warn` is told of what stays. */
export async function removeAttemptFolders(
  scratchFolder: string,
  { user, warn }: { user: CommandUser | null; warn(message: string): void },
): Promise<void> {
  for (const name of await readdir(scratchFolder).catch(() => [])) {
    const folder = join(scratchFolder, name);
    await removeAttemptFolder(folder, user).catch((thrown: unknown) => {
      warn(`${folder} cannot be removed: ${coerceError(thrown).message}`);
    });
  }
  await rmdir(scratchFolder).catch(() => undefined);
}

/** Removes the folder of an attempt: what the user owns in it by that user's own hands. */
export async function removeAttemptFolder(folder: string, user: CommandUser | null): Promise<void> {
  if (user === null) {
    await removeOwned(folder, null);
    return;
  }
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const removed = await Promise.allSettled(
    entries.map((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? removeOwned(path, user) : unlink(path);
    }),
  );
  const failed = removed.find((each) => each.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  await rmdir(folder).catch(() => undefined);
}
