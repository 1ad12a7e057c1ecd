import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { badInput } from '../../src/contracts/errors.ts';
import { didYouMean } from '../../src/lib/nearNames.ts';

/** In order of preference. */
export const BACKEND_NAMES = ['tensorflow', 'webgpu', 'wasm', 'cpu'] as const;
export type BackendName = (typeof BACKEND_NAMES)[number];

export interface DetectedBackend {
  name: BackendName;
  present: boolean;
  /** What it would compute on, as far as that is known without loading it. */
  device: string;
  /** Why it is present, or what is missing. */
  reason: string;
  /** Of the package, or of V8 for what is built in. */
  version: string | null;
}

export interface BackendProbes {
  /** The version of an installed package, or null. Nothing of it is run. */
  packageVersion(name: string): string | null;
  hasWasmSimd(): boolean;
  hasWasmThreads(): boolean;
  processor(): string;
  /** The graphics device as the driver names it, or null. */
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

function installedVersion(name: string): string | null {
  for (const folder of resolver.resolve.paths(name) ?? []) {
    try {
      return packageSchema.parse(JSON.parse(readFileSync(join(folder, name, 'package.json'), 'utf8'))).version;
    } catch {
      // not in this folder
    }
  }
  return null;
}

function nvidiaDevice(): string | null {
  try {
    const text = readFileSync('/proc/driver/nvidia/version', 'utf8');
    return /Kernel Module.*?(\d+\.\d+[.\d]*)/.exec(text)?.[1] ?? 'unknown';
  } catch {
    return null;
  }
}

export const realProbes: BackendProbes = {
  packageVersion: installedVersion,
  hasWasmSimd: () => webAssembly.validate(new Uint8Array(SIMD_MODULE)),
  hasWasmThreads: () => webAssembly.validate(new Uint8Array(THREADS_MODULE)) && typeof SharedArrayBuffer === 'function',
  processor: () => cpus()[0]?.model.trim() || process.arch,
  graphics: () => {
    const driver = nvidiaDevice();
    return driver === null ? null : `NVIDIA GPU (driver ${driver})`;
  },
};

function missing(names: string[]): string {
  return `${names.join(' and ')} ${names.length === 1 ? 'is' : 'are'} not installed`;
}

function tensorflow(probes: BackendProbes): DetectedBackend {
  const name = '@tensorflow/tfjs-node-gpu';
  const version = probes.packageVersion(name);
  const graphics = probes.graphics();
  const reason = version === null ? missing([name]) : graphics === null ? 'installed; no NVIDIA driver' : 'installed';
  return { name: 'tensorflow', present: version !== null, device: graphics ?? probes.processor(), reason, version };
}

function webgpu(probes: BackendProbes): DetectedBackend {
  const names = ['webgpu', '@tensorflow/tfjs-backend-webgpu'];
  const versions = names.map((name) => probes.packageVersion(name));
  const absent = names.filter((_, index) => versions[index] === null);
  const graphics = probes.graphics();
  const reason =
    absent.length > 0
      ? missing(absent)
      : graphics === null
        ? 'installed; no graphics driver found, and a software GPU is used only when forced'
        : 'installed';
  return {
    name: 'webgpu',
    present: absent.length === 0,
    device: graphics ?? 'software GPU',
    reason,
    version: versions[0] ?? null,
  };
}

function wasm(probes: BackendProbes): DetectedBackend {
  const absent = [
    ...(probes.hasWasmSimd() ? [] : ['SIMD']),
    ...(probes.hasWasmThreads() ? [] : ['threads over shared memory']),
  ];
  return {
    name: 'wasm',
    present: absent.length === 0,
    device: probes.processor(),
    reason:
      absent.length === 0 ? 'WebAssembly with SIMD and threads' : `this V8 lacks WebAssembly ${absent.join(', ')}`,
    version: `V8 ${process.versions.v8}`,
  };
}

/** Which tensor backends are here, in order of preference. Loads none of them. */
export function detectBackends(probes: BackendProbes = realProbes): DetectedBackend[] {
  return [
    tensorflow(probes),
    webgpu(probes),
    wasm(probes),
    {
      name: 'cpu',
      present: true,
      device: probes.processor(),
      reason: 'plain JavaScript, always present',
      version: `V8 ${process.versions.v8}`,
    },
  ];
}

/** True for a backend that may be chosen without being asked for: it computes on what it was made for. */
function isWorthwhile(backend: DetectedBackend, probes: BackendProbes): boolean {
  return backend.present && (backend.name !== 'webgpu' || probes.graphics() !== null);
}

/**
 * The backend to use: `forced` (WARREN_BACKEND) where given, else the first that is present, a software GPU excepted.
 * Throws BAD_INPUT for a name that is none, or for one that is not here, saying what is missing.
 */
export function chooseBackend(forced: string | null, probes: BackendProbes = realProbes): DetectedBackend {
  const backends = detectBackends(probes);
  if (forced === null || forced === '') {
    return backends.find((backend) => isWorthwhile(backend, probes)) ?? backends.at(-1)!;
  }
  const found = backends.find((backend) => backend.name === forced);
  if (found === undefined) {
    const known = BACKEND_NAMES.join(', ');
    throw badInput(
      `WARREN_BACKEND is "${forced}"; it must be one of ${known}.${didYouMean(forced, BACKEND_NAMES)}`,
      'WARREN_BACKEND',
    );
  }
  if (!found.present) {
    const present = backends.filter((backend) => backend.present).map((backend) => backend.name);
    throw badInput(
      `WARREN_BACKEND is "${forced}", but it is not here: ${found.reason}. Present: ${present.join(', ')}`,
      'WARREN_BACKEND',
    );
  }
  return found;
}
