import { spawn, spawnSync } from 'node:child_process';
import { WarrenError } from '#src/base/contracts/errors.ts';
import { exitOf } from '#src/base/platform/processes/processTree.ts';
import type { Terminal } from '#src/base/terminal/terminal.ts';

/** Whose wheels are taken: only libraries of them are used, which are the same for every Python. */
const PYTHON = '3.12';
/** Programs that install Python's packages, in order of preference. */
const INSTALLERS: readonly (readonly [string, ...string[]])[] = [
  ['python3', '-m', 'pip'],
  ['uv', 'pip'],
  ['pip3'],
  ['pip'],
  ['python', '-m', 'pip'],
];

export type Installer = readonly [string, ...string[]];

interface Wanted {
  /** What is being installed, for messages. */
  subject: string;
  /** What to do where PyPI or pip is away. */
  instead: string;
}

/**
 * The program that gets packages from PyPI.
 * @throws WarrenError UNAVAILABLE where nothing is to be downloaded, or that names what was looked for.
 */
export function findInstaller({ offline, subject, instead }: Wanted & { offline: boolean }): Installer {
  if (offline) {
    throw new WarrenError('UNAVAILABLE', `WARREN_OFFLINE is set, so nothing is downloaded: ${instead}`);
  }
  const found = INSTALLERS.find(
    ([program, ...words]) => spawnSync(program, [...words, '--help'], { stdio: 'ignore' }).status === 0,
  );
  if (found !== undefined) return found;
  const advice = `install one (Debian: python3-pip), or ${instead}`;
  throw new WarrenError('UNAVAILABLE', `neither pip nor uv is here, which get ${subject} from PyPI: ${advice}`);
}

/**
 * Installs packages, as built for their users, without what they need, into the folder `target`.
 * @throws WarrenError UNAVAILABLE where the installer fails; its messages are on stderr then.
 */
export async function pipInstall(
  [program, ...words]: Installer,
  target: string,
  { packages, instead, terminal }: { packages: readonly string[]; instead: string; terminal: Pick<Terminal, 'say'> },
): Promise<void> {
  terminal.say(`installing ${packages.join(', ')} with ${[program, ...words].join(' ')} …`);
  const choice = ['--target', target, '--no-deps', '--only-binary=:all:', '--python-version', PYTHON];
  const child = spawn(program, [...words, 'install', ...choice, ...packages], { stdio: ['ignore', 2, 2] });
  const { code, signal } = await exitOf(child);
  if (code === 0) return;
  const how = code === null ? `was ended by ${signal}` : `ended with exit code ${code}`;
  throw new WarrenError(
    'UNAVAILABLE',
    `${program} ${how}; its messages are above. Where PyPI is not reached, ${instead}`,
  );
}
