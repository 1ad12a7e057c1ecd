import { join } from 'node:path';
import { WarrenError } from '#src/base/contracts/errors.ts';
import { shorten } from '#src/base/lib/shorten.ts';
import type { PackageFile } from './packageFiles.ts';
import type { ProgramExit, ProgramOptions } from './program.ts';

/** Runs a program to its end; what it prints becomes lines of the run's log. The last of stderr come back. */
export type Execute = (
  options: Omit<ProgramOptions, 'onOutput'>,
) => Promise<ProgramExit & { lastLines: readonly string[] }>;

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
export async function installListed(
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
export async function installLocked(
  { name, folder }: PackageFile,
  { uv, ...place }: Place & { uv: string },
): Promise<void> {
  const step = stepsFor(`the packages of ${name}`, place, folder);
  // the code goes away with its run, and what was installed of it must not
  await step([uv, 'sync', '--frozen', '--no-editable', '--quiet'], { UV_PROJECT_ENVIRONMENT: place.target });
}

/** Installs the program uv itself, with pip. */
export async function installUv(place: Place): Promise<void> {
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
