import { WarrenError } from '#src/base/contracts/errors.ts';
import { coerceError } from '#src/base/lib/coerceError.ts';
import { type BackendProbes, realProbes } from './backendProbes.ts';
import {
  type BackendName,
  chooseBackend,
  type DetectedBackend,
  detectBackends,
  eligibleBackends,
} from './detectBackends.ts';
import type { OpenBackend } from './openedBackend.ts';

export interface OpenBackendOptions {
  /** WARREN_BACKEND: this one or none; null for the best that is here and works. */
  forced: string | null;
  /** Compute threads, at least 1, that `wasm` may use. */
  threads: number;
  /** Whether only a graphics processor will do. */
  requireGpu?: boolean;
  /** Told why a preferred backend was passed over. */
  onFallback?(message: string): void;
  probes?: BackendProbes;
  openers?: BackendOpeners;
}

/** Opens one backend and makes it the one on which tfjs computes; throws with the reason where it cannot. */
export type BackendOpener = (options: { threads: number; device: string; isForced: boolean }) => Promise<OpenBackend>;
export type BackendOpeners = Readonly<Record<BackendName, BackendOpener>>;

/** Each loads its own libraries, when it is asked to and not before. */
const REAL_OPENERS: BackendOpeners = {
  tensorflow: async (options) => (await import('./openTensorflow.ts')).openTensorflow(options),
  webgpu: async (options) => (await import('./openWebgpu.ts')).openWebgpu(options),
  wasm: async (options) => (await import('./openWasm.ts')).openWasm(options),
  cpu: async (options) => (await import('./openCpu.ts')).openCpu(options),
};

/**
 * Opens a tensor backend and makes tfjs compute on it: the forced one, or the first in order of preference that opens,
 * with a word to `onFallback` about each that did not. A software GPU and TensorFlow on a plain processor are opened only
 * when forced, WebGPU also where a GPU is required.
 * @throws WarrenError BAD_INPUT for a forced name that is none or is not here, UNAVAILABLE when the forced one does not
 *   open, when none does, or when only a GPU will do and there is none.
 */
export async function openBackend(options: OpenBackendOptions): Promise<OpenBackend> {
  const { threads, probes = realProbes, openers = REAL_OPENERS, onFallback = () => undefined } = options;
  const isForced = options.forced !== null && options.forced !== '';
  const candidates = isForced ? [chooseBackend(options.forced, probes)] : eligibleBackends(probes, options);
  const failures: string[] = [];
  for (const candidate of candidates) {
    if (options.requireGpu === true && !candidate.isGpu) continue;
    try {
      const opened = await openers[candidate.name]({ threads, device: candidate.device, isForced });
      if (options.requireGpu === true && !opened.isGpu) {
        await opened.close();
        throw new Error(`it computes on ${opened.device}, which is not a graphics processor`);
      }
      return { ...opened, reason: reasonFor(candidate, { isForced, failures, probes }) };
    } catch (thrown) {
      const failure = `backend ${candidate.name} does not open: ${coerceError(thrown).message}`;
      if (isForced) throw new WarrenError('UNAVAILABLE', `WARREN_BACKEND: ${failure}`, { cause: thrown });
      failures.push(failure);
      onFallback(failure);
    }
  }
  throw new WarrenError('UNAVAILABLE', whyNone(options, { isForced, failures, probes }));
}

interface Attempted {
  isForced: boolean;
  failures: readonly string[];
  probes: BackendProbes;
}

/** Why this one: forced, or what kept each preferred one away. */
function reasonFor(chosen: DetectedBackend, { isForced, failures, probes }: Attempted): string {
  if (isForced) return 'forced by WARREN_BACKEND';
  const backends = detectBackends(probes);
  const passed = backends.slice(
    0,
    backends.findIndex(({ name }) => name === chosen.name),
  );
  if (passed.length === 0) return 'the first in order of preference';
  const reasons = passed.map(
    ({ name, reason }) => failures.find((failure) => failure.startsWith(`backend ${name} `)) ?? `${name}: ${reason}`,
  );
  return `preferred ones are passed over (${reasons.join('; ')})`;
}

function whyNone({ requireGpu }: OpenBackendOptions, { isForced, failures, probes }: Attempted): string {
  const attempted = failures.length === 0 ? '' : `: ${failures.join('; ')}`;
  if (requireGpu !== true) return `no tensor backend opens${attempted}`;
  if (isForced) return 'this run needs a GPU, and the backend forced by WARREN_BACKEND has none here';
  const [tensorflow, webgpu] = detectBackends(probes);
  const seen = attempted === '' ? `: tensorflow: ${tensorflow?.reason}; webgpu: ${webgpu?.reason}` : attempted;
  return `this run needs a GPU, and no backend reaches one here${seen}`;
}
