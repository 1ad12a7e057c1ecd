import { badInput } from '#src/base/contracts/errors.ts';
import { TENSORFLOW_PACKAGE } from '#src/base/contracts/tensorflowInstallation.ts';
import { didYouMean } from '#src/base/lib/nearNames.ts';
import { type BackendProbes, realProbes } from './backendProbes.ts';

/** In order of preference. */
export const BACKEND_NAMES = ['tensorflow', 'webgpu', 'wasm', 'cpu'] as const;
export type BackendName = (typeof BACKEND_NAMES)[number];

export interface DetectedBackend {
  name: BackendName;
  present: boolean;
  /** What it would compute on, as far as that is known without loading it. */
  device: string;
  /** Whether that is a graphics processor, not an imitation of one. */
  isGpu: boolean;
  /** Why it is present, or what is missing. */
  reason: string;
  /** Of the package, or of V8 for what is built in. */
  version: string | null;
}

function missing(names: string[]): string {
  return `${names.join(' and ')} ${names.length === 1 ? 'is' : 'are'} not installed`;
}

function tensorflow(probes: BackendProbes): DetectedBackend {
  const processor = { name: 'tensorflow', device: probes.processor(), isGpu: false } as const;
  if (probes.packageVersion(TENSORFLOW_PACKAGE) === null) {
    return { ...processor, present: false, reason: missing([TENSORFLOW_PACKAGE]), version: null };
  }
  const library = probes.tensorflowLibrary();
  if ('missing' in library) return { ...processor, present: false, reason: library.missing, version: null };
  const { version, cuda } = library;
  const graphics = probes.nvidia();
  if (cuda && graphics !== null) {
    return { name: 'tensorflow', present: true, device: graphics, isGpu: true, reason: 'installed', version };
  }
  const why = graphics === null ? 'no NVIDIA driver' : 'its library was built without CUDA';
  const reason = `installed; ${why}, so it computes on the processor and is used only when forced`;
  return { ...processor, present: true, reason, version };
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
        : 'installed; used only for runs that require a GPU, or when forced';
  return {
    name: 'webgpu',
    present: absent.length === 0,
    device: graphics ?? 'software GPU',
    isGpu: graphics !== null,
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
    isGpu: false,
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
      isGpu: false,
      reason: 'plain JavaScript, always present',
      version: `V8 ${process.versions.v8}`,
    },
  ];
}

/** Whether only a graphics processor will do. */
export interface GpuWish {
  requireGpu?: boolean | undefined;
}

/**
 * Those that may be used without being asked for, best first: each computes on what it was made for. WebGPU is among them only for
 * what requires a GPU: on the one GPU where it was tried, training took longer than on the processor.
 */
export function eligibleBackends(
  probes: BackendProbes = realProbes,
  { requireGpu = false }: GpuWish = {},
): DetectedBackend[] {
  return detectBackends(probes).filter(
    ({ present, isGpu, name }) => present && (isGpu || !NEEDS_GPU.has(name)) && (name !== 'webgpu' || requireGpu),
  );
}

const NEEDS_GPU: ReadonlySet<BackendName> = new Set(['tensorflow', 'webgpu']);

/**
 * The backend to use: `forced` (WARREN_BACKEND) where given, else the first of those that may be used unasked.
 * Throws BAD_INPUT for a name that is none, or for one that is not here, saying what is missing.
 */
export function chooseBackend(
  forced: string | null,
  probes: BackendProbes = realProbes,
  wish: GpuWish = {},
): DetectedBackend {
  const backends = detectBackends(probes);
  if (forced === null || forced === '') return eligibleBackends(probes, wish)[0] ?? backends.at(-1)!;
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
