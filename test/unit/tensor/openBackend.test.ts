import { describe, expect, test } from 'vitest';
import type { BackendProbes } from '#workers/tensor/backendProbes.ts';
import type { BackendName } from '#workers/tensor/detectBackends.ts';
import { type BackendOpeners, openBackend } from '#workers/tensor/openBackend.ts';

/** A machine with everything, and a GPU. */
const probes: BackendProbes = {
  packageVersion: () => '1.2.3',
  tensorflowLibrary: () => ({ version: '2.21.0', binding: '/tfjs_binding.node', cuda: true }),
  hasWasmSimd: () => true,
  hasWasmThreads: () => true,
  processor: () => 'a processor',
  nvidia: () => 'a GPU',
  graphics: () => 'a GPU',
};

/** Backends that open, but for those that are `broken`; `software` ones turn out to compute on the processor. */
function openers({ broken = [], software = [] }: { broken?: BackendName[]; software?: BackendName[] }) {
  const closed: string[] = [];
  const opener = (name: BackendName, hasGpu: boolean) => async () => {
    if (broken.includes(name)) throw new Error('its driver is too old');
    const memory = () => ({ bytesInUse: 0, peakBytes: 0, limitBytes: null });
    const isGpu = hasGpu && !software.includes(name);
    const close = async () => void closed.push(name);
    return {
      name,
      device: isGpu ? 'a GPU' : 'a processor',
      isGpu,
      version: '1',
      versions: {},
      reason: '',
      memory,
      close,
    };
  };
  const all: BackendOpeners = {
    tensorflow: opener('tensorflow', true),
    webgpu: opener('webgpu', true),
    wasm: opener('wasm', false),
    cpu: opener('cpu', false),
  };
  return { openers: all, closed };
}

describe('opening a backend', () => {
  test('takes the first in order of preference', async () => {
    const opened = await openBackend({ forced: null, threads: 1, probes, ...openers({}) });
    expect(opened).toMatchObject({ name: 'tensorflow', reason: 'the first in order of preference' });
  });

  test('passes over those that do not open, and says so', async () => {
    const told: string[] = [];
    const given = openers({ broken: ['tensorflow'] });
    const onFallback = (message: string) => told.push(message);
    const opened = await openBackend({ forced: null, threads: 1, probes, onFallback, ...given });
    expect(opened.name).toBe('wasm');
    expect(told).toEqual(['backend tensorflow does not open: its driver is too old']);
    expect(opened.reason).toMatch(/passed over .*tensorflow does not open.*webgpu: .*only for runs that require a GPU/);
  });

  test('a forced one that does not open is an error, not another backend', async () => {
    const opening = openBackend({ forced: 'webgpu', threads: 1, probes, ...openers({ broken: ['webgpu'] }) });
    await expect(opening).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: 'WARREN_BACKEND: backend webgpu does not open: its driver is too old',
    });
  });

  test('where only a GPU will do, a backend without one is closed and the rest are not tried', async () => {
    const given = openers({ broken: ['tensorflow'], software: ['webgpu'] });
    const opening = openBackend({ forced: null, threads: 1, probes, requireGpu: true, ...given });
    await expect(opening).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringMatching(/needs a GPU.*driver is too old.*not a graphics/),
    });
    expect(given.closed).toEqual(['webgpu']);
    const onlyWasm = openBackend({ forced: 'wasm', threads: 1, probes, requireGpu: true, ...openers({}) });
    await expect(onlyWasm).rejects.toThrow(/needs a GPU, and the backend forced by WARREN_BACKEND has none/);
  });
});
