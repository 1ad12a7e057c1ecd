import { createReadStream, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { badInput } from '#src/base/contracts/errors.ts';

/** A library of TensorFlow that programs can be built with. */
export interface TensorflowFiles {
  /** Absolute; the library with the C interface first, the one that it needs after it. */
  libraries: string[];
  /** The folder of its headers: `tensorflow/c/eager/c_api.h` is below it. */
  headers: string;
}

/** PyPI's wheels have the first, TensorFlow's own downloads for C the second. */
const NAMES = ['tensorflow_cc', 'tensorflow'];
const HEADER = join('tensorflow', 'c', 'eager', 'c_api.h');

/**
 * The libraries and headers of TensorFlow in a folder: `site-packages/tensorflow`, a `site-packages` or a virtual environment
 * that has it, or the unpacked archive of TensorFlow for C.
 * @throws WarrenError BAD_INPUT that says what of it is missing there.
 */
export function findLibrary(folder: string, platform: NodeJS.Platform = process.platform): TensorflowFiles {
  if (!existsSync(folder))
    throw badInput(`there is no folder ${folder}: name the one that has TensorFlow's library`, 'from');
  const places = [folder, join(folder, 'tensorflow'), join(folder, 'lib'), ...environmentFolders(folder)];
  const libraries = places.map((place) => librariesIn(place, platform)).find((found) => found !== null);
  if (libraries === undefined) {
    const [name] = fileNames(NAMES[0]!, platform);
    throw badInput(
      `${folder} has no ${name}: name the folder \`tensorflow\` of a Python with TensorFlow, such as …/site-packages/tensorflow`,
      'from',
    );
  }
  const headers = places
    .flatMap((place) => [join(place, 'include'), join(place, '..', 'include')])
    .find((place) => existsSync(join(place, HEADER)));
  if (headers === undefined) {
    throw badInput(
      `${folder} has TensorFlow's library but not its headers (include/${HEADER}), which the binding is built with`,
      'from',
    );
  }
  return { libraries: libraries!, headers };
}

/** `site-packages/tensorflow` of a virtual environment. */
function environmentFolders(folder: string): string[] {
  const lib = join(folder, 'lib');
  const pythons = existsSync(lib) ? readdirSync(lib).filter((name) => name.startsWith('python3')) : [];
  return pythons.map((name) => join(lib, name, 'site-packages', 'tensorflow'));
}

function fileNames(name: string, platform: NodeJS.Platform): string[] {
  return platform === 'darwin' ? [`lib${name}.2.dylib`, `lib${name}.dylib`] : [`lib${name}.so.2`, `lib${name}.so`];
}

function librariesIn(folder: string, platform: NodeJS.Platform): string[] | null {
  const fileOf = (name: string): string | undefined =>
    fileNames(name, platform)
      .map((file) => join(folder, file))
      .find((file) => existsSync(file));
  const first = NAMES.map(fileOf).find((file) => file !== undefined);
  const framework = fileOf('tensorflow_framework');
  return first === undefined || framework === undefined ? null : [first, framework];
}

/** Whether a library of TensorFlow names NVIDIA's cuDNN, which it loads when there is a GPU. */
export async function isBuiltWithCuda(libraries: readonly string[]): Promise<boolean> {
  const framework = libraries.at(-1)!;
  let last = '';
  for await (const chunk of createReadStream(framework, { highWaterMark: 2 ** 22 })) {
    const text = last + (chunk as Buffer).toString('latin1');
    if (text.includes('nvidia/cudnn') || text.includes('libcudnn.so')) return true;
    last = text.slice(-32);
  }
  return false;
}
