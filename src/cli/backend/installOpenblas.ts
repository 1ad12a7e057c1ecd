import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { badInput, WarrenError } from '#src/base/contracts/errors.ts';
import {
  OPENBLAS_FOLDER,
  OPENBLAS_RECORD,
  type OpenblasInstallation,
} from '#src/base/contracts/openblasInstallation.ts';
import { withFileLock } from '#src/base/platform/files/fileLock.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';
import { inspectNumerics, openblasSchema } from '#src/base/terminal/inspectNumerics.ts';
import type { InstallOptions } from './installOptions.ts';
import { findInstaller, pipInstall } from './pipInstall.ts';

/** OpenBLAS as SciPy's wheels have it, for Linux, macOS and Windows, with code for every processor. */
const PACKAGE = 'scipy-openblas32';
const PIP_FOLDER = 'python-';
const INSTEAD = 'name a library that is here with --from (Debian: libopenblas0)';

/**
 * The body of `warren backend install openblas`: the library from PyPI or that which `from` names, opened once, and last the
 * record that workers read.
 */
export async function installOpenblas(
  context: CommandContext,
  { from, pip, cpu, json }: InstallOptions,
): Promise<void> {
  if (cpu === true) throw badInput('--cpu is for tensorflow: OpenBLAS computes on the processor anyway', '--cpu');
  if (from !== undefined && pip === true) {
    throw badInput('--from names a library that is there, --pip gets one from PyPI: give one of them', '--from');
  }
  if (from !== undefined && !existsSync(from)) throw badInput(`--from: there is no ${resolve(from)}`, '--from');
  const { terminal } = context;
  const { home, offline } = context.environment();
  const place = join(home, OPENBLAS_FOLDER);
  await mkdir(place, { recursive: true });
  const made = await withFileLock(join(place, 'install.lock'), async () => {
    const folder = join(place, `${PIP_FOLDER}${Date.now().toString(36)}`);
    const record = join(place, OPENBLAS_RECORD);
    try {
      let file = from === undefined ? null : resolve(from);
      if (file === null) {
        const installer = findInstaller({ offline, subject: 'OpenBLAS', instead: INSTEAD });
        await pipInstall(installer, folder, { packages: [PACKAGE], instead: INSTEAD, terminal });
        file = libraryIn(folder);
      }
      const { version } = await inspectNumerics(context, ['openblas', file], openblasSchema);
      const installation: OpenblasInstallation = { file, version };
      await writeFile(`${record}.part`, `${JSON.stringify(installation, null, 2)}\n`);
      await rename(`${record}.part`, record);
      await removeOthers(place, file);
      return installation;
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  });
  if (json === true) terminal.print(JSON.stringify(made, null, 2));
  else {
    terminal.print(`${made.version} is installed.`);
    terminal.print(
      'Workers started with WARREN_OPENBLAS=on multiply matrices by it; `warren doctor --verify` checks it.',
    );
  }
}

/** The library within the wheel, whatever this system calls it. */
function libraryIn(folder: string): string {
  const libraries = join(folder, 'scipy_openblas32', 'lib');
  const name = existsSync(libraries)
    ? readdirSync(libraries).find((one) => /^(lib)?scipy_openblas\.(so|dylib|dll)$/.test(one))
    : undefined;
  if (name !== undefined) return join(libraries, name);
  throw new WarrenError('UNAVAILABLE', `${PACKAGE} has no library in ${libraries}: ${INSTEAD}`);
}

/** What earlier installations left, killed ones included. */
async function removeOthers(place: string, file: string): Promise<void> {
  const paths = (await readdir(place)).filter((name) => name.startsWith(PIP_FOLDER)).map((name) => join(place, name));
  for (const path of paths) if (!file.startsWith(path)) await rm(path, { recursive: true, force: true });
}
