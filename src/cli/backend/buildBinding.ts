import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { WarrenError } from '#src/base/contracts/errors.ts';
import { TENSORFLOW_PACKAGE } from '#src/base/contracts/tensorflowInstallation.ts';
import type { TensorflowFiles } from './tensorflowLibrary.ts';

export interface BuildTools {
  /** A C++ compiler. */
  compiler: string;
  /** The folder with `node_api.h`. */
  nodeHeaders: string;
  /** The folder of the npm package whose `binding/` is compiled. */
  package: string;
}

const SOURCES = ['tfjs_backend.cc', 'tfjs_binding.cc'];

/**
 * tfjs's binding lets TensorFlow use the bytes of a typed array and lets go of it when TensorFlow does, on whatever thread:
 * Node allows that on its own thread alone. Here the bytes are copied and the array is let go of at once.
 */
const COPYING_TENSORS = `#include <cstring>
#include "tensorflow/c/tf_tensor.h"
static inline TF_Tensor* CopiedTensor(TF_DataType type, const int64_t* shape, int rank, void* data, size_t bytes,
                                      void (*release)(void*, size_t, void*), void* argument) {
  TF_Tensor* tensor = TF_AllocateTensor(type, shape, rank, bytes);
  if (tensor != nullptr && bytes > 0) std::memcpy(TF_TensorData(tensor), data, bytes);
  release(data, bytes, argument);
  return tensor;
}
#define TF_NewTensor CopiedTensor
`;

/**
 * What the binding is built with.
 * @throws WarrenError UNAVAILABLE that names what is missing and how it is installed.
 */
export function checkBuildTools(environment: NodeJS.ProcessEnv = process.env): BuildTools {
  if (process.platform === 'win32') {
    const why = "TensorFlow's packages for Windows have no library that programs can be built with";
    throw new WarrenError('UNAVAILABLE', `${why}: use Linux, such as the Windows Subsystem for Linux`);
  }
  const compilers = environment.CXX ? [environment.CXX] : ['c++', 'g++', 'clang++'];
  const compiler = compilers.find((name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0);
  if (compiler === undefined) {
    const advice = 'install one (Debian: g++; macOS: xcode-select --install), or name it with CXX';
    throw new WarrenError('UNAVAILABLE', `no C++ compiler was found (looked for ${compilers.join(', ')}): ${advice}`);
  }
  return { compiler, nodeHeaders: findNodeHeaders(environment), package: findPackage() };
}

function findPackage(): string {
  const paths = createRequire(import.meta.url).resolve.paths(TENSORFLOW_PACKAGE) ?? [];
  const folder = paths.map((path) => join(path, TENSORFLOW_PACKAGE)).find((path) => existsSync(join(path, 'binding')));
  if (folder !== undefined) return folder;
  const advice = 'install Warren with its optional packages (npm install --include=optional)';
  throw new WarrenError('UNAVAILABLE', `${TENSORFLOW_PACKAGE} is not installed, whose binding is built: ${advice}`);
}

/** Headers of Node: beside the program, of the system, or those that node-gyp has fetched. */
function findNodeHeaders(environment: NodeJS.ProcessEnv): string {
  const given = environment.npm_config_nodedir;
  const folders = [
    ...(given ? [join(given, 'include', 'node'), join(given, 'src')] : []),
    join(dirname(process.execPath), '..', 'include', 'node'),
    '/usr/local/include/node',
    '/usr/include/node',
    '/opt/homebrew/include/node',
    join(homedir(), '.cache', 'node-gyp', process.versions.node, 'include', 'node'),
    join(homedir(), 'Library', 'Caches', 'node-gyp', process.versions.node, 'include', 'node'),
  ];
  const found = folders.find((folder) => existsSync(join(folder, 'node_api.h')));
  if (found !== undefined) return found;
  const advice =
    'install them (Debian: libnode-dev; those of nodejs.org come with Node), or name the folder above include/node with npm_config_nodedir';
  throw new WarrenError('UNAVAILABLE', `Node's headers (node_api.h) were not found: ${advice}`);
}

/**
 * Compiles tfjs's binding against a library of TensorFlow into `file`, which is there only when it loads, and resolves to the
 * version of TensorFlow that it tells.
 * @throws WarrenError UNAVAILABLE with the compiler's or the loader's own words.
 */
export async function buildBinding(
  file: string,
  { libraries, headers }: TensorflowFiles,
  tools: BuildTools,
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'warren-tensorflow-'));
  try {
    const copying = join(folder, 'copyingTensors.h');
    writeFileSync(copying, COPYING_TENSORS);
    const made = join(dirname(file), `${process.pid}.part.node`);
    const includes = ['-include', copying, `-I${tools.nodeHeaders}`, `-I${headers}`, `-I${tools.package}`];
    const linked = [...libraries, ...new Set(libraries.map((library) => `-Wl,-rpath,${dirname(library)}`))];
    const platform = process.platform === 'darwin' ? ['-undefined', 'dynamic_lookup'] : [];
    const sources = SOURCES.map((source) => join(tools.package, 'binding', source));
    const options = ['-std=c++17', '-O2', '-fPIC', '-shared', '-DNAPI_VERSION=8', ...platform];
    run(tools.compiler, [...options, ...includes, ...sources, ...linked, '-o', made]);
    try {
      const version = versionOf(made);
      renameSync(made, file);
      return version;
    } finally {
      rmSync(made, { force: true });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Loads the binding in a process of its own, makes TensorFlow look for its devices, and returns its version. */
function versionOf(binding: string): string {
  const script = 'const b = require(process.argv[1]); b.isUsingGpuDevice(); console.log(JSON.stringify(b.TF_Version))';
  const printed = run(process.execPath, ['-e', script, binding], { TF_CPP_MIN_LOG_LEVEL: '2' });
  return z.string().parse(JSON.parse(printed));
}

function run(program: string, parameters: readonly string[], variables: NodeJS.ProcessEnv = {}): string {
  const env = { ...process.env, ...variables };
  const { status, signal, error, stdout, stderr } = spawnSync(program, parameters, { encoding: 'utf8', env });
  if (status === 0) return stdout;
  const words = (error?.message ?? stderr.trim().split('\n').slice(-12).join('\n')) || `exit code ${status ?? signal}`;
  throw new WarrenError('UNAVAILABLE', `${program} failed, so there is no binding to TensorFlow:\n${words}`);
}
