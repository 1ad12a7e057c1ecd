import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { badInput } from '#src/base/contracts/errors.ts';
import { OPENBLAS_FOLDER } from '#src/base/contracts/openblasInstallation.ts';
import { TENSORFLOW_FOLDER } from '#src/base/contracts/tensorflowInstallation.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';
import { installOpenblas } from './installOpenblas.ts';
import type { InstallOptions } from './installOptions.ts';
import { installTensorflow } from './installTensorflow.ts';

/** The body of `warren backend install`. */
export async function installBackend(context: CommandContext, name: string, options: InstallOptions): Promise<void> {
  requireKnown(name);
  if (name === 'openblas') await installOpenblas(context, options);
  else await installTensorflow(context, options);
}

/** The body of `warren backend remove`. */
export async function removeBackend({ terminal, environment }: CommandContext, name: string): Promise<void> {
  requireKnown(name);
  const place = join(environment().home, name === 'openblas' ? OPENBLAS_FOLDER : TENSORFLOW_FOLDER);
  if (!existsSync(place)) {
    terminal.print(`nothing to remove: ${place} is not there`);
    return;
  }
  await rm(place, { recursive: true, force: true });
  terminal.print(`removed ${place}`);
}

function requireKnown(name: string): void {
  if (name === 'tensorflow' || name === 'openblas') return;
  throw badInput(
    `expected tensorflow or openblas, not "${name}": webgpu, wasm and cpu come with Warren, and \`warren doctor\` says what each lacks`,
    'name',
  );
}
