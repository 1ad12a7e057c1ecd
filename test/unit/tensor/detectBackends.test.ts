import { describe, expect, test } from 'vitest';
import type { BackendProbes } from '#workers/tensor/backendProbes.ts';
import { findTensorflow } from '#workers/tensor/findTensorflow.ts';
import { BACKEND_NAMES, chooseBackend, detectBackends } from '#workers/tensor/detectBackends.ts';

function machine(packages: string[], graphics: string | null, hasWasm = true): BackendProbes {
  return {
    packageVersion: (name) => (packages.includes(name) ? '1.2.3' : null),
    tensorflowLibrary: () => ({ version: '2.21.0', binding: '/tfjs_binding.node', cuda: true }),
    nvidia: () => graphics,
    hasWasmSimd: () => hasWasm,
    hasWasmThreads: () => hasWasm,
    processor: () => 'a processor',
    graphics: () => graphics,
  };
}

const TENSORFLOW = '@tensorflow/tfjs-node-gpu';
const WEBGPU = ['webgpu', '@tensorflow/tfjs-backend-webgpu'];

describe('tensor backends', () => {
  test('of this machine: WebAssembly and plain JavaScript are always here', () => {
    const backends = detectBackends();
    expect(backends.map(({ name }) => name)).toEqual(BACKEND_NAMES);
    expect(backends.slice(2).every(({ present }) => present)).toBe(true);
    expect(backends.every(({ device, reason }) => device !== '' && reason !== '')).toBe(true);
  });

  test('are preferred in the stated order', () => {
    expect(chooseBackend(null, machine([TENSORFLOW, ...WEBGPU], 'a GPU')).name).toBe('tensorflow');
    expect(chooseBackend(null, machine(WEBGPU, 'a GPU'))).toMatchObject({ name: 'wasm', device: 'a processor' });
    expect(chooseBackend(null, machine([], 'a GPU'))).toMatchObject({ name: 'wasm', device: 'a processor' });
    expect(chooseBackend(null, machine([], null, false)).name).toBe('cpu');
  });

  test('WebGPU is chosen for what requires a GPU, or when forced', () => {
    const probes = machine(WEBGPU, 'a GPU');
    expect(chooseBackend(null, probes, { requireGpu: true })).toMatchObject({ name: 'webgpu', device: 'a GPU' });
    expect(chooseBackend('webgpu', probes)).toMatchObject({ name: 'webgpu', device: 'a GPU' });
    expect(chooseBackend(null, machine([TENSORFLOW, ...WEBGPU], 'a GPU'), { requireGpu: true }).name).toBe(
      'tensorflow',
    );
  });

  test('a software GPU is chosen only when forced', () => {
    expect(chooseBackend(null, machine(WEBGPU, null)).name).toBe('wasm');
    expect(chooseBackend('webgpu', machine(WEBGPU, null)).name).toBe('webgpu');
  });

  test('TensorFlow whose library was not installed is absent, with the command that installs it', () => {
    const probes = {
      ...machine([TENSORFLOW], 'a GPU'),
      tensorflowLibrary: () => findTensorflow({ WARREN_HOME: '/nowhere' }),
    };
    expect(detectBackends(probes)[0]).toMatchObject({
      present: false,
      reason: expect.stringMatching(/not installed: run `.*backend install tensorflow`/),
    });
    expect(chooseBackend(null, probes).name).toBe('wasm');
    expect(() => chooseBackend('tensorflow', probes)).toThrow(/library is not installed: run `.*backend install/);
  });

  test('TensorFlow without CUDA is no GPU, whatever the machine has', () => {
    const probes = {
      ...machine([TENSORFLOW, ...WEBGPU], 'a GPU'),
      tensorflowLibrary: () => ({ version: '2.21.0', binding: '/tfjs_binding.node', cuda: false }),
    };
    expect(detectBackends(probes)[0]).toMatchObject({ present: true, isGpu: false, device: 'a processor' });
    expect(chooseBackend(null, probes, { requireGpu: true }).name).toBe('webgpu');
    expect(chooseBackend(null, probes).name).toBe('wasm');
  });

  test('TensorFlow on a plain processor is used only when forced, and a GPU of another maker is for WebGPU', () => {
    expect(chooseBackend(null, machine([TENSORFLOW], null)).name).toBe('wasm');
    expect(chooseBackend('tensorflow', machine([TENSORFLOW], null)).name).toBe('tensorflow');
    const other = { ...machine([TENSORFLOW, ...WEBGPU], 'an Intel GPU'), nvidia: () => null };
    expect(chooseBackend(null, other, { requireGpu: true })).toMatchObject({ name: 'webgpu', isGpu: true });
  });

  test('a forced one that is missing is refused with what is missing', () => {
    expect(() => chooseBackend('webgpu', machine(['webgpu'], null))).toThrow(
      /WARREN_BACKEND is "webgpu".*@tensorflow\/tfjs-backend-webgpu is not installed.*Present: wasm, cpu/,
    );
    expect(() => chooseBackend('tensorflow', machine([], null))).toThrow(/tfjs-node-gpu is not installed/);
    expect(() => chooseBackend('wsam', machine([], null))).toThrow(/must be one of .*Did you mean "wasm"/);
  });
});
