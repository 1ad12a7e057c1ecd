import { createHash } from 'node:crypto';
import { access, constants, mkdir, rm, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import type { CommandTask } from '#src/base/contracts/executorMessages.ts';
import { withFileLock } from '#src/base/platform/files/fileLock.ts';
import { type Execute, installListed, installLocked, installUv } from './installPackages.ts';
import { handOver, makeClosedFolder, removeOwned } from './ownedFolder.ts';
import { findPackageFile, PACKAGE_FILES } from './packageFiles.ts';

export interface PackagesOptions {
  /** Where the file is looked for, in this order. */
  folders: readonly string[];
  /** For a file that passes. */
  temporaryFolder: string;
  /** The variables that whatever it runs starts from. */
  surroundings: NodeJS.ProcessEnv;
  signal: AbortSignal;
  execute: Execute;
  say(text: string): void;
}

/**
 * The virtual environment with the packages that a program asks for: made once for each content of the file and kept.
 * @returns its folder; null where nothing is to be installed.
 * @throws WarrenError RUN_FAILED when the packages cannot be installed, with the last error of pip or uv; all that it said is in the run's log.
 */
export async function preparePackages(task: CommandTask, options: PackagesOptions): Promise<string | null> {
  if (task.environment !== 'auto') return null;
  const file = await findPackageFile(options.folders);
  if (file === null) {
    options.say(`environment: there is none of ${PACKAGE_FILES.join(', ')}, so nothing is installed`);
    return null;
  }
  const { name, texts, isLocal } = file;
  const target = folderFor(task, [name, ...texts, isLocal ? (task.code?.sha256 ?? '') : '']);
  const isNew = await makeOnce(target, { ...options, program: 'python', user: task.user }, async () => {
    options.say(`environment: installs the packages of ${name}`);
    const place = { ...options, target };
    if (name === 'uv.lock') await installLocked(file, { ...place, uv: await prepareUv(task, options) });
    else await installListed(file, { ...place, work: options.temporaryFolder });
  });
  if (!isNew) options.say(`environment: the packages of ${name} are there already`);
  return target;
}

/** The program uv: that of the machine, or else one that pip installs, once. */
async function prepareUv(task: CommandTask, options: PackagesOptions): Promise<string> {
  if (await isOnPath('uv')) return 'uv';
  const target = folderFor(task, ['uv']);
  await makeOnce(target, { ...options, program: 'uv', user: task.user }, async () => {
    options.say('environment: installs uv, which this worker has not');
    await installUv({ ...options, target });
  });
  return join(target, 'bin', 'uv');
}

function folderFor(task: CommandTask, key: readonly string[]): string {
  const text = JSON.stringify([process.platform, process.arch, ...key]);
  return join(task.environmentsFolder, createHash('sha256').update(text).digest('hex').slice(0, 32));
}

/** Makes an environment unless it is there, one process at a time. @returns whether it was made now. */
async function makeOnce(
  target: string,
  { program, user, signal }: PackagesOptions & { program: string; user: CommandTask['user'] },
  make: () => Promise<void>,
): Promise<boolean> {
  await mkdir(dirname(target), { recursive: true });
  const work = async (): Promise<boolean> => {
    // beside the folder, not in it, where whoever the programs run as may write
    const whole = `${target}.whole`;
    if ((await isThere(whole)) && (await isThere(join(target, 'bin', program)))) return false;
    await rm(whole, { force: true });
    await removeOwned(target, user);
    if (user !== null) {
      await makeClosedFolder(target);
      await handOver(target, user);
    }
    await make();
    await writeFile(whole, '');
    return true;
  };
  return await withFileLock(`${target}.lock`, work, { signal });
}

async function isThere(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}

async function isOnPath(program: string): Promise<boolean> {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  for (const folder of folders) {
    const found = await access(join(folder, program), constants.X_OK).then(
      () => true,
      () => false,
    );
    if (found) return true;
  }
  return false;
}
