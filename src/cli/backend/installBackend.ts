import { existsSync } from 'node:fs';
import { rm, mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { badInput } from '#src/base/contracts/errors.ts';
import { OPENBLAS_FOLDER } from '#src/base/contracts/openblasInstallation.ts';
import {
  TENSORFLOW_FOLDER,
  TENSORFLOW_RECORD,
  type TensorflowInstallation,
} from '#src/base/contracts/tensorflowInstallation.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';
import { installOpenblas } from './installOpenblas.ts';
import type { InstallOptions } from './installOptions.ts';
import { withFileLock } from '#src/base/platform/files/fileLock.ts';
import { buildBinding, checkBuildTools } from './buildBinding.ts';
import { installFromPip } from './pipTensorflow.ts';
import { findLibrary, isBuiltWithCuda } from './tensorflowLibrary.ts';

const PIP_FOLDER = 'python-';
const BINDING = 'tfjs_binding-';

/** The body of `warren backend install tensorflow`: library, binding, and last the record that workers read. */
async function installTensorflow({ terminal, environment }: CommandContext, options: InstallOptions): Promise<void> {
  if (options.from !== undefined && (options.pip === true || options.cpu === true)) {
    throw badInput(
      '--from names a library that is there; --pip and --cpu get one from PyPI: give one of them',
      '--from',
    );
  }
  const { home, libtensorflow, offline } = environment();
  const place = join(home, TENSORFLOW_FOLDER);
  const named = options.pip === true || options.cpu === true ? null : (options.from ?? libtensorflow);
  if (named !== null) findLibrary(resolve(named));
  // before a gigabyte is fetched in vain
  const tools = checkBuildTools();
  await mkdir(place, { recursive: true });
  const installation = await withFileLock(join(place, 'install.lock'), async () => {
    const record = join(place, TENSORFLOW_RECORD);
    // Runs of now may have the old files open: everything new gets another name, and the record is replaced last.
    const stamp = Date.now().toString(36);
    const folder =
      named === null
        ? await installFromPip(join(place, `${PIP_FOLDER}${stamp}`), { terminal, offline, cpu: options.cpu === true })
        : resolve(named);
    const library = findLibrary(folder);
    terminal.say(`building the binding to ${library.libraries[0]} with ${tools.compiler} …`);
    const binding = join(place, `${BINDING}${stamp}.node`);
    const version = await buildBinding(binding, library, tools);
    const { libraries } = library;
    const made: TensorflowInstallation = {
      version,
      folder,
      libraries,
      binding,
      cuda: await isBuiltWithCuda(libraries),
    };
    await writeFile(`${record}.part`, `${JSON.stringify(made, null, 2)}\n`);
    await rename(`${record}.part`, record);
    await removeOthers(place, made);
    return made;
  });
  if (options.json === true) terminal.print(JSON.stringify(installation, null, 2));
  else {
    const { version, cuda } = installation;
    terminal.print(`TensorFlow ${version} (${cuda ? 'with' : 'without'} CUDA) is installed as backend tensorflow.`);
    terminal.print('`warren doctor --verify` checks it; WARREN_BACKEND=tensorflow forces it.');
  }
}

/** What earlier installations left, killed ones included. */
async function removeOthers(place: string, { folder, binding }: TensorflowInstallation): Promise<void> {
  const isOurs = (name: string): boolean => name.startsWith(PIP_FOLDER) || name.startsWith(BINDING);
  const isUsed = (path: string): boolean => folder.startsWith(path) || binding === path;
  const paths = (await readdir(place)).filter(isOurs).map((name) => join(place, name));
  for (const path of paths) if (!isUsed(path)) await rm(path, { recursive: true, force: true });
}

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
