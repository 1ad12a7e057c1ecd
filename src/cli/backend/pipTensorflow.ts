import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { WarrenError } from '#src/contracts/errors.ts';
import { exitOf } from '#src/platform/processes/processTree.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Whose wheel is taken: of it only the library and the headers are used, which are the same for every Python. */
const PYTHON = '3.12';
/** Programs that install Python's packages, in order of preference. */
const INSTALLERS: readonly (readonly [string, ...string[]])[] = [
  ['python3', '-m', 'pip'],
  ['uv', 'pip'],
  ['pip3'],
  ['pip'],
  ['python', '-m', 'pip'],
];

interface PipOptions {
  terminal: Pick<Terminal, 'say'>;
  offline: boolean;
  /** Without CUDA, whatever the machine has. */
  cpu: boolean;
}

/**
 * Gets TensorFlow from PyPI into `target`, with NVIDIA's libraries where an NVIDIA driver is, and resolves to the folder with
 * its library. What only Python uses is removed. Nothing is left when it fails.
 * @throws WarrenError UNAVAILABLE where there is no pip, no network, or pip fails.
 */
export async function installFromPip(target: string, { terminal, offline, cpu }: PipOptions): Promise<string> {
  if (offline) {
    const instead = 'name a library that is here with --from or WARREN_LIBTENSORFLOW';
    throw new WarrenError('UNAVAILABLE', `WARREN_OFFLINE is set, so nothing is downloaded: ${instead}`);
  }
  const installer = findInstaller();
  const cuda = !cpu && existsSync('/proc/driver/nvidia/version');
  const name = process.platform === 'linux' && !cuda ? 'tensorflow-cpu' : 'tensorflow';
  try {
    await install(installer, target, { packages: [name], terminal });
    if (cuda) await install(installer, target, { packages: cudaRequirements(target), terminal });
  } catch (error) {
    rmSync(target, { recursive: true, force: true });
    throw error;
  }
  const folder = join(target, 'tensorflow');
  for (const entry of readdirSync(folder)) {
    if (entry !== 'include' && !entry.startsWith('lib')) rmSync(join(folder, entry), { recursive: true });
  }
  return folder;
}

/** @throws WarrenError UNAVAILABLE that names what was looked for. */
function findInstaller(): readonly [string, ...string[]] {
  const found = INSTALLERS.find(
    ([program, ...words]) => spawnSync(program, [...words, '--help'], { stdio: 'ignore' }).status === 0,
  );
  if (found !== undefined) return found;
  const advice = 'install one (Debian: python3-pip), or name a library that is here with --from';
  throw new WarrenError('UNAVAILABLE', `neither pip nor uv is here, which get TensorFlow from PyPI: ${advice}`);
}

async function install(
  [program, ...words]: readonly [string, ...string[]],
  target: string,
  { packages, terminal }: { packages: readonly string[]; terminal: Pick<Terminal, 'say'> },
): Promise<void> {
  terminal.say(`installing ${packages.join(', ')} with ${[program, ...words].join(' ')} …`);
  const choice = ['--target', target, '--no-deps', '--only-binary=:all:', '--python-version', PYTHON];
  const child = spawn(program, [...words, 'install', ...choice, ...packages], { stdio: ['ignore', 2, 2] });
  const { code, signal } = await exitOf(child);
  if (code === 0) return;
  const how = code === null ? `was ended by ${signal}` : `ended with exit code ${code}`;
  throw new WarrenError(
    'UNAVAILABLE',
    `${program} ${how}; its messages are above. Where PyPI is not reached, name a library that is here with --from`,
  );
}

/** What the wheel itself names as its extra `and-cuda`. */
export function cudaRequirements(target: string): string[] {
  const info = readdirSync(target).find((name) => /^tensorflow-.*\.dist-info$/.test(name));
  const metadata = info === undefined ? '' : readFileSync(join(target, info, 'METADATA'), 'utf8');
  const lines = metadata.matchAll(/^Requires-Dist:\s*([^;\n]+?)\s*;.*extra == ["']and-cuda["']/gm);
  const requirements = [...lines].map(([, requirement]) => requirement!);
  if (requirements.length > 0) return requirements;
  throw new WarrenError(
    'UNAVAILABLE',
    'this TensorFlow names no CUDA libraries (its extra and-cuda): install with --cpu',
  );
}
