import { MathBackendCPU } from '@tensorflow/tfjs-backend-cpu';
import { engineMemory } from './engineMemory.ts';
import type { OpenBackend } from './openedBackend.ts';
import { tf } from './tf.ts';

/** Makes tfjs compute in plain JavaScript on one thread: the slow reference implementation of every other backend. */
export async function openCpu({ device }: { device: string }): Promise<OpenBackend> {
  if (tf.findBackend('cpu') === null) tf.registerBackend('cpu', () => new MathBackendCPU());
  await tf.setBackend('cpu');
  const memory = engineMemory(null);
  return {
    name: 'cpu',
    device,
    isGpu: false,
    version: `V8 ${process.versions.v8}`,
    versions: { 'tfjs-core': tf.version_core, v8: process.versions.v8 },
    reason: '',
    memory,
    close: async () => tf.removeBackend('cpu'),
  };
}
