import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { WarrenError } from '#src/base/contracts/errors.ts';
import type { Terminal } from '#src/base/terminal/terminal.ts';
import { findInstaller, pipInstall } from './pipInstall.ts';

const INSTEAD = 'name a library that is here with --from or WARREN_LIBTENSORFLOW';

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
  const installer = findInstaller({ offline, subject: 'TensorFlow', instead: INSTEAD });
  const cuda = !cpu && existsSync('/proc/driver/nvidia/version');
  const name = process.platform === 'linux' && !cuda ? 'tensorflow-cpu' : 'tensorflow';
  try {
    await pipInstall(installer, target, { packages: [name], instead: INSTEAD, terminal });
    if (cuda) {
      await pipInstall(installer, target, { packages: cudaRequirements(target), instead: INSTEAD, terminal });
    }
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
