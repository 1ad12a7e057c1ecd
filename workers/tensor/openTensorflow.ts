import { createRequire } from 'node:module';
import { z } from 'zod';
import { realProbes, TENSORFLOW_PACKAGE } from './backendProbes.ts';
import { engineMemory } from './engineMemory.ts';
import type { OpenBackend } from './openedBackend.ts';
import { tf } from './tf.ts';

const backendSchema = z.object({
  isUsingGpuDevice: z.boolean(),
  binding: z.object({ TF_Version: z.string() }),
});

/**
 * Makes tfjs compute on TensorFlow's own library: with CUDA where its driver and libraries are, else on the processor.
 * The package registers its backend as it is loaded, on the one tfjs-core of the process.
 */
export async function openTensorflow({ device }: { device: string }): Promise<OpenBackend> {
  createRequire(import.meta.url)(TENSORFLOW_PACKAGE);
  await tf.setBackend('tensorflow');
  const { isUsingGpuDevice, binding } = backendSchema.parse(tf.backend());
  const memory = engineMemory(null);
  return {
    name: 'tensorflow',
    device: isUsingGpuDevice ? device : realProbes.processor(),
    isGpu: isUsingGpuDevice,
    version: binding.TF_Version,
    versions: {
      'tfjs-core': tf.version_core,
      'tfjs-node-gpu': realProbes.packageVersion(TENSORFLOW_PACKAGE) ?? 'unknown',
      tensorflow: binding.TF_Version,
    },
    reason: '',
    memory,
    close: async () => tf.removeBackend('tensorflow'),
  };
}
