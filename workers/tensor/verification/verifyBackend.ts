import { coerceError } from '#src/base/lib/coerceError.ts';
import type { BackendName } from '../detectBackends.ts';
import { openBackend } from '../openBackend.ts';
import { tf } from '../tf.ts';
import type { BackendCheck } from './backendCheck.ts';
import { BACKEND_CHECKS } from './backendChecks.ts';

export interface CheckResult {
  name: string;
  passed: boolean;
  /** The largest difference from what is right, as a share of the largest magnitude (or of 1); null where it failed before. */
  deviation: number | null;
  tolerance: number;
  /** Seconds from the call until the numbers were there, the compilation of shaders included. */
  seconds: number;
  /** What it threw, or how many tensors it left behind. */
  error: string | null;
}

export interface BackendVerification {
  name: BackendName;
  device: string;
  isGpu: boolean;
  version: string;
  /** Why it could not be opened; the results are then empty. */
  error: string | null;
  results: CheckResult[];
}

export interface VerifyOptions {
  threads: number;
  checks?: readonly BackendCheck[];
}

/** What `cpu` computes for the checks that have no reference implementation of their own. */
export type References = ReadonlyMap<string, ArrayLike<number>[]>;

/** The right numbers of every check, from its float64 reference implementation or from the `cpu` backend. */
export async function referencesOf(checks: readonly BackendCheck[] = BACKEND_CHECKS): Promise<References> {
  const backend = await openBackend({ forced: 'cpu', threads: 1 });
  const references = new Map<string, ArrayLike<number>[]>();
  try {
    for (const check of checks) references.set(check.name, check.expected?.() ?? (await numbersOf(check)));
  } finally {
    await backend.close();
  }
  return references;
}

/** Runs every check on one backend, opened for it and closed after. Never throws. */
export async function verifyBackend(
  name: BackendName,
  references: References,
  { threads, checks = BACKEND_CHECKS }: VerifyOptions,
): Promise<BackendVerification> {
  const failed = { name, device: '', isGpu: false, version: '', results: [] };
  try {
    const backend = await openBackend({ forced: name, threads });
    const { device, isGpu, version } = backend;
    const results: CheckResult[] = [];
    try {
      for (const check of checks) results.push(await runCheck(check, references.get(check.name) ?? []));
    } finally {
      await backend.close();
    }
    return { name, device, isGpu, version, error: null, results };
  } catch (thrown) {
    return { ...failed, error: coerceError(thrown).message };
  }
}

async function numbersOf(check: BackendCheck): Promise<ArrayLike<number>[]> {
  const tensors = tf.tidy(() => check.compute());
  try {
    return await Promise.all(tensors.map((tensor) => tensor.data()));
  } finally {
    tf.dispose(tensors);
  }
}

async function runCheck(check: BackendCheck, expected: ArrayLike<number>[]): Promise<CheckResult> {
  const { name, tolerance } = check;
  const started = performance.now();
  const before = tf.memory().numTensors;
  const seconds = () => (performance.now() - started) / 1000;
  try {
    const deviation = largestDeviation(await numbersOf(check), expected);
    const left = tf.memory().numTensors - before;
    const error = left === 0 ? null : `${left} tensors were not disposed of`;
    return { name, passed: deviation <= tolerance && left === 0, deviation, tolerance, seconds: seconds(), error };
  } catch (thrown) {
    return { name, passed: false, deviation: null, tolerance, seconds: seconds(), error: coerceError(thrown).message };
  }
}

/** Infinite where shapes differ or a number is none. */
function largestDeviation(found: ArrayLike<number>[], expected: ArrayLike<number>[]): number {
  if (found.length !== expected.length) return Number.POSITIVE_INFINITY;
  const shares = found.map((numbers, index) => {
    const right = expected[index]!;
    if (numbers.length !== right.length) return Number.POSITIVE_INFINITY;
    let magnitude = 1;
    let difference = 0;
    for (let i = 0; i < right.length; i++) {
      magnitude = Math.max(magnitude, Math.abs(right[i]!));
      const here = Math.abs(numbers[i]! - right[i]!);
      if (Number.isNaN(here)) return Number.POSITIVE_INFINITY;
      difference = Math.max(difference, here);
    }
    return difference / magnitude;
  });
  return Math.max(...shares);
}
