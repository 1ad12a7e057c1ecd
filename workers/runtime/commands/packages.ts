import { createHash } from 'node:crypto';
import { access, constants, mkdir, rm, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import type { CommandTask } from '#src/base/contracts/executorMessages.ts';
import { withFileLock } from '#src/base/platform/files/fileLock.ts';
import { WarrenError } from '#src/base/contracts/errors.ts';
import { shorten } from '#src/base/lib/shorten.ts';
import { type PackageFile, findPackageFile, PACKAGE_FILES } from './packageFiles.ts';
import type { ProgramExit, ProgramOptions } from './program.ts';
import { handOver, makeClosedFolder, removeOwned } from './ownedFolder.ts';

/** Runs a program to its end; what it prints becomes lines of the run's log. The last of stderr come back. */
type Execute = (options: Omit<ProgramOptions, 'onOutput'>) => Promise<ProgramExit & { lastLines: readonly string[] }>;

const LONGEST_REASON = 500;

/** Prints the dependencies in a pyproject.toml, one a line. */
const READ_PYPROJECT = `import sys
try:
    import tomllib
except ImportError:
    from pip._vendor import tomli as tomllib
with open(sys.argv[1], "rb") as file:
    project = tomllib.load(file).get("project", {})
with open(sys.argv[2], "w") as file:
    file.write("\\n".join(project.get("dependencies", [])))
`;

interface Place {
  /** The virtual environment that is made. */
  target: string;
  execute: Execute;
  surroundings: NodeJS.ProcessEnv;
}

/** Installs what a requirements.txt or a pyproject.toml lists, with pip. `work` is a folder for a list. */
async function installListed(
  { name, folder, path }: PackageFile,
  { work, ...place }: Place & { work: string },
): Promise<void> {
  const step = stepsFor(`the packages of ${name}`, place, folder);
  const { target } = place;
  const python = join(target, 'bin', 'python');
  await step(['python3', '-m', 'venv', target]);
  const isProject = name === 'pyproject.toml';
  const list = isProject ? join(work, 'dependencies.txt') : path;
  if (isProject) await step([python, '-c', READ_PYPROJECT, path, list]);
  await step([python, '-m', 'pip', 'install', '--quiet', '--requirement', list]);
}

/** Installs exactly what a uv.lock pins, with the program uv. */
async function installLocked({ name, folder }: PackageFile, { uv, ...place }: Place & { uv: string }): Promise<void> {
  const step = stepsFor(`the packages of ${name}`, place, folder);
  // the code goes away with its run, and what was installed of it must not
  await step([uv, 'sync', '--frozen', '--no-editable', '--quiet'], { UV_PROJECT_ENVIRONMENT: place.target });
}

/** Installs the program uv itself, with pip. */
async function installUv(place: Place): Promise<void> {
  const remedy =
    'install uv on the machine of the worker (docs.astral.sh/uv), or let its pip reach an index that has it';
  const step = stepsFor('uv, which uv.lock needs,', place, '/', remedy);
  const { target } = place;
  await step(['python3', '-m', 'venv', target]);
  await step([join(target, 'bin', 'python'), '-m', 'pip', 'install', '--quiet', 'uv>=0.5']);
}

/** Steps that throw when they end badly. */
function stepsFor(what: string, { execute, surroundings }: Place, folder: string, remedy = '') {
  const common = {
    ...surroundings,
    PIP_DISABLE_PIP_VERSION_CHECK: '1',
    PIP_NO_INPUT: '1',
    // as pip does; the second is what older versions call it
    UV_SYSTEM_CERTS: '1',
    UV_NATIVE_TLS: '1',
  };
  return async (command: string[], variables: NodeJS.ProcessEnv = {}): Promise<void> => {
    const { code, problem, lastLines } = await execute({ command, folder, environment: { ...common, ...variables } });
    if (code === 0) return;
    const words = lastWords(lastLines);
    const program = command.slice(0, 4).join(' ');
    const how = problem === null ? `${words === '' ? '' : `${words}; `}${program} ended with ${code}` : problem.message;
    const then = remedy === '' ? '' : `; ${remedy}`;
    throw new WarrenError('RUN_FAILED', `${what} cannot be installed: ${how}${then}`);
  };
}

/** What pip or uv says last of what is wrong: its last error, else its last line. */
function lastWords(lines: readonly string[]): string {
  const told = lines.map((line) => line.trim()).filter((line) => !/^(\[notice\]|hint:|note:|╰─>|$)/.test(line));
  const last = told.findLast((line) => /^error:/i.test(line)) ?? told.at(-1) ?? '';
  const isAway = lines.some((line) => line.includes('connection broken by'));
  return `${shorten(last, LONGEST_REASON)}${isAway ? ' (pip does not reach its index)' : ''}`;
}

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
