import { beforeAll, describe, expect, test } from 'vitest';
import type { Arithmetic } from '#src/base/contracts/arithmetic.ts';
import type { BackendName } from '#workers/tensor/detectBackends.ts';
import { BACKEND_CHECKS } from '#workers/tensor/verification/backendChecks.ts';
import { setArithmetic } from '#workers/wasm/calls/kernelModule.ts';
import {
  type BackendVerification,
  type References,
  referencesOf,
  verifyBackend,
} from '#workers/tensor/verification/verifyBackend.ts';
import { ARITHMETICS_HERE, tensorflowMissing } from './backends.ts';
import { enableSoftwareGpu } from './enableSoftwareGpu.ts';

const noGpu = enableSoftwareGpu();
if (noGpu !== null) console.warn(`skipped: ${noGpu}`);

let references: References;
beforeAll(async () => {
  references = await referencesOf();
});

/** What failed, in words, so that a failing test shows all of it. */
function failures({ error, results }: BackendVerification): string[] {
  const failed = results.filter(({ passed }) => !passed);
  return [
    ...(error === null ? [] : [error]),
    ...failed.map(
      ({ name, deviation, tolerance, error: thrown }) => `${name}: ${thrown ?? `${deviation} > ${tolerance}`}`,
    ),
  ];
}

describe.each<{ name: BackendName; threads: number; skipped: string | null; arithmetic?: Arithmetic }>([
  { name: 'cpu', threads: 1, skipped: null },
  { name: 'wasm', threads: 1, skipped: null },
  { name: 'wasm', threads: 3, skipped: null, arithmetic: 'plain' },
  ...ARITHMETICS_HERE.slice(1).map((arithmetic) => ({ name: 'wasm' as const, threads: 3, skipped: null, arithmetic })),
  { name: 'webgpu', threads: 1, skipped: noGpu },
  { name: 'tensorflow', threads: 2, skipped: tensorflowMissing() },
])('backend $name with $threads threads, $arithmetic', ({ name, threads, skipped, arithmetic }) => {
  test.skipIf(skipped !== null)(
    'computes every check to its tolerance, and leaves no tensor behind',
    async () => {
      setArithmetic(arithmetic ?? 'plain');
      const verification = await verifyBackend(name, references, { threads });
      expect(failures(verification)).toEqual([]);
      expect(verification.results).toHaveLength(BACKEND_CHECKS.length);
    },
    300_000,
  ); // SwiftShader compiles a program for every shape, slowly on a busy machine
});

test('a check that computes something else fails, with its deviation', async () => {
  const [check] = BACKEND_CHECKS;
  const wrong = {
    ...check!,
    expected: () => check!.expected!().map((numbers) => Float64Array.from(numbers, (x) => x * 1.01)),
  };
  const { results } = await verifyBackend('cpu', await referencesOf([wrong]), { threads: 1, checks: [wrong] });
  expect(results).toMatchObject([{ passed: false, deviation: expect.closeTo(0.01, 3), error: null }]);
});
