import { expect, test } from 'vitest';
import { detectBackends } from '#workers/tensor/detectBackends.ts';
import { backendOfPlainRuns } from '#workers/runtime/worker/workingBackend.ts';

const GPU = { device: 'a GPU', isGpu: true };
const backends = detectBackends({
  packageVersion: () => '1.0.0',
  nvidia: () => 'a GPU',
  graphics: () => 'a GPU',
  processor: () => 'a processor',
  hasWasmSimd: () => true,
  hasWasmThreads: () => true,
  tensorflowLibrary: () => ({ missing: 'no library' }),
});

test('a worker with a GPU says of WebGPU that runs may require one, and computes the others on the processor', () => {
  // also where TensorFlow was chosen, and did not open
  expect(backendOfPlainRuns({ name: 'webgpu', ...GPU }, null, backends)).toEqual({
    ...{ name: 'wasm', device: 'a processor', isGpu: true },
  });
});

test('TensorFlow on a GPU is for all runs, and so is WebGPU where it is forced', () => {
  for (const [name, forced] of [
    ['tensorflow', null],
    ['webgpu', 'webgpu'],
  ] as const) {
    expect(backendOfPlainRuns({ name, ...GPU }, forced, backends)).toEqual({ name, ...GPU });
  }
});

test('what opens on the processor alone has no GPU', () => {
  const opened = { name: 'wasm', device: 'a processor', isGpu: false } as const;
  expect(backendOfPlainRuns(opened, null, backends)).toEqual(opened);
});
