import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { TENSORFLOW_PACKAGE } from '#src/base/contracts/tensorflowInstallation.ts';
import { findTensorflow } from './findTensorflow.ts';

/** TensorFlow's library as far as is known without loading it. */
export interface TensorflowLibrary {
  version: string;
  /** The addon of Node that calls it. */
  binding: string;
  /** Whether it can compute on an NVIDIA GPU. */
  cuda: boolean;
}

export interface BackendProbes {
  /** The version of an installed package, or null. Nothing of it is run. */
  packageVersion(name: string): string | null;
  /** TensorFlow's own library with a binding to it, or what is missing. */
  tensorflowLibrary(): TensorflowLibrary | { missing: string };
  hasWasmSimd(): boolean;
  hasWasmThreads(): boolean;
  processor(): string;
  /** The NVIDIA device that CUDA would use, or null. */
  nvidia(): string | null;
  /** The graphics device as the system names it, of any maker, or null. */
  graphics(): string | null;
}

/** A module whose one function uses `i32x4.splat`: valid only where SIMD is. */
const SIMD_MODULE = [
  0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00, 0x01, 0x05, 0x01, 0x60, 0x00, 0x01, 0x7b, 0x03, 0x02, 0x01, 0x00,
  0x0a, 0x08, 0x01, 0x06, 0x00, 0x41, 0x00, 0xfd, 0x11, 0x0b,
];
/** A module with a shared memory: valid only where threads are. */
const THREADS_MODULE = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00, 0x05, 0x04, 0x01, 0x03, 0x01, 0x01];

/** What of WebAssembly is asked here; its types belong to browsers' library, which the compiler does not load for Node. */
const { WebAssembly: webAssembly } = globalThis as unknown as {
  WebAssembly: { validate(module: Uint8Array): boolean };
};

const packageSchema = z.object({ version: z.string() });
const resolver = createRequire(import.meta.url);

/** The folder of an installed package, or null. */
function packageFolder(name: string): string | null {
  const folders = (resolver.resolve.paths(name) ?? []).map((folder) => join(folder, name));
  return folders.find((folder) => existsSync(join(folder, 'package.json'))) ?? null;
}

function installedVersion(name: string): string | null {
  const folder = packageFolder(name);
  if (folder === null) return null;
  try {
    return packageSchema.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))).version;
  } catch {
    return null;
  }
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function firstLine(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim().split('\n')[0] ?? null;
  } catch {
    return null;
  }
}

/** What Warren installed; else what the npm package itself has downloaded, where its install script was run. */
function tensorflowLibrary(): TensorflowLibrary | { missing: string } {
  const found = findTensorflow();
  return 'missing' in found ? (downloadedLibrary() ?? found) : found;
}

function downloadedLibrary(): TensorflowLibrary | null {
  const folder = packageFolder(TENSORFLOW_PACKAGE);
  if (folder === null) return null;
  const lib = join(folder, 'lib');
  const binding = filesIn(lib)
    .map((name) => join(lib, name, 'tfjs_binding.node'))
    .find((file) => existsSync(file));
  const hasLibrary = filesIn(join(folder, 'deps', 'lib')).some((name) => /tensorflow.*\.(so|dylib|dll)/.test(name));
  if (binding === undefined || !hasLibrary) return null;
  return { version: installedVersion(TENSORFLOW_PACKAGE) ?? 'unknown', binding, cuda: true };
}

/** The first NVIDIA device with its driver's version; Linux tells without any program of NVIDIA's. */
function nvidiaDevice(): string | null {
  const driver = firstLine('/proc/driver/nvidia/version');
  if (driver === null) return null;
  const version = /Kernel Module.*?(\d+\.\d+[.\d]*)/.exec(driver)?.[1] ?? 'unknown';
  const devices = '/proc/driver/nvidia/gpus';
  const model = filesIn(devices)
    .map((name) => /Model:\s*(.+)/.exec(firstLine(join(devices, name, 'information')) ?? '')?.[1])
    .find((found) => found !== undefined);
  return `${model ?? 'NVIDIA GPU'} (driver ${version})`;
}

/** Makers of graphics processors by PCI vendor; virtual adapters of emulators are none. */
const GPU_VENDORS: Readonly<Record<string, string>> = { '0x10de': 'NVIDIA', '0x1002': 'AMD', '0x8086': 'Intel' };

/** A graphics processor that the operating system can compute on through Vulkan, Metal or Direct3D 12. */
function graphicsDevice(): string | null {
  if (process.platform === 'darwin') return 'GPU (Metal)';
  if (process.platform === 'win32') return 'GPU (Direct3D 12)';
  const nodes = filesIn('/dev/dri').filter((name) => name.startsWith('renderD'));
  const vendors = nodes.map((name) => GPU_VENDORS[firstLine(`/sys/class/drm/${name}/device/vendor`) ?? '']);
  const vendor = vendors.find((found) => found !== undefined);
  return vendor === undefined ? null : `${vendor} GPU`;
}

/** This machine, asked without loading any backend. */
export const realProbes: BackendProbes = {
  packageVersion: installedVersion,
  tensorflowLibrary,
  hasWasmSimd: () => webAssembly.validate(new Uint8Array(SIMD_MODULE)),
  hasWasmThreads: () => webAssembly.validate(new Uint8Array(THREADS_MODULE)) && typeof SharedArrayBuffer === 'function',
  processor: () => cpus()[0]?.model.trim() || process.arch,
  nvidia: nvidiaDevice,
  graphics: () => nvidiaDevice() ?? graphicsDevice(),
};
