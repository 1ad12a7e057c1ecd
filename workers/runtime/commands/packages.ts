import { createHash } from 'node:crypto';
import { access, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { WarrenError } from '#src/contracts/errors.ts';
import type { CommandTask } from '#src/contracts/executorMessages.ts';
import { programOfUserEnvironment } from '#src/platform/processes/childEnvironment.ts';
import { withFileLock } from '#src/platform/files/fileLock.ts';
import type { ProgramExit, ProgramOptions } from './program.ts';

/** Files that say which packages a program needs, the first first. */
const FILES = ['requirements.txt', 'pyproject.toml'];
/** Stands in a folder of packages that is whole. */
const WHOLE = '.warren-whole';

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

export interface PackagesOptions {
  /** Where the file is looked for, in this order. */
  folders: readonly string[];
  signal: AbortSignal;
  execute(options: Omit<ProgramOptions, 'onOutput'>): Promise<ProgramExit>;
  say(text: string): void;
}

/**
 * The virtual environment with the packages that a program asks for: made once for each content of the file and kept.
 * @returns its folder; null where nothing is to be installed.
 * @throws WarrenError RUN_FAILED when the packages cannot be installed; pip's words are in the run's log.
 */
export async function preparePackages(task: CommandTask, options: PackagesOptions): Promise<string | null> {
  if (task.environment === 'none') return null;
  const asked = await findFile(options.folders);
  if (asked === null) {
    options.say('environment: neither requirements.txt nor pyproject.toml is there, so nothing is installed');
    return null;
  }
  const { folder, path, text } = asked;
  // a path in it, such as ./wheels/x.whl, means another file in another archive
  const isLocal = /^\s*(?:-e\s|-r\s|\.|\/|file:)/m.test(text) || text.includes('file:');
  const key = [process.platform, process.arch, basename(path), text, isLocal ? task.code?.sha256 : ''];
  const hash = createHash('sha256').update(JSON.stringify(key)).digest('hex').slice(0, 32);
  const target = join(task.environmentsFolder, hash);
  await mkdir(task.environmentsFolder, { recursive: true });
  await withFileLock(
    join(task.environmentsFolder, `${hash}.lock`),
    async () => {
      if (await isWhole(target)) {
        options.say(`environment: the packages of ${basename(path)} are there already`);
        return;
      }
      options.say(`environment: installs the packages of ${basename(path)}`);
      await rm(target, { recursive: true, force: true });
      await install({ folder, path, target, work: task.workFolder }, options);
      await writeFile(join(target, WHOLE), '');
    },
    { signal: options.signal },
  );
  return target;
}

async function findFile(folders: readonly string[]): Promise<{ folder: string; path: string; text: string } | null> {
  for (const folder of folders) {
    for (const name of FILES) {
      const path = join(folder, name);
      const text = await readFile(path, 'utf8').catch(() => null);
      if (text !== null) return { folder, path, text };
    }
  }
  return null;
}

async function isWhole(target: string): Promise<boolean> {
  return await Promise.all([access(join(target, WHOLE)), access(join(target, 'bin', 'python'))]).then(
    () => true,
    () => false,
  );
}

async function install(
  { folder, path, target, work }: { folder: string; path: string; target: string; work: string },
  { execute }: PackagesOptions,
): Promise<void> {
  const environment = { ...programOfUserEnvironment(), PIP_DISABLE_PIP_VERSION_CHECK: '1', PIP_NO_INPUT: '1' };
  const step = async (...command: string[]): Promise<void> => {
    const { code, problem } = await execute({ command, folder, environment });
    if (code === 0) return;
    await rm(target, { recursive: true, force: true });
    const how = problem === null ? `${command.slice(0, 4).join(' ')} ended with ${code}` : problem.message;
    throw new WarrenError('RUN_FAILED', `the packages of ${basename(path)} cannot be installed: ${how}`);
  };
  const python = join(target, 'bin', 'python');
  await step('python3', '-m', 'venv', target);
  const isProject = basename(path) === 'pyproject.toml';
  const list = isProject ? join(work, 'dependencies.txt') : path;
  if (isProject) await step(python, '-c', READ_PYPROJECT, path, list);
  await step(python, '-m', 'pip', 'install', '--quiet', '--requirement', list);
}
