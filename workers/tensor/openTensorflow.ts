import { createRequire } from 'node:module';
import { TENSORFLOW_PACKAGE } from '#src/base/contracts/tensorflowInstallation.ts';
import { realProbes } from './backendProbes.ts';
import { engineMemory } from './engineMemory.ts';
import type { OpenBackend } from './openedBackend.ts';
import { setTensorflowVariables } from './tensorflowVariables.ts';
import { tf } from './tf.ts';

/** What is asked of the addon that calls TensorFlow's library. */
interface TensorflowBinding {
  readonly TF_Version: string;
}
/** What is asked of tfjs's own backend class. */
interface TensorflowBackend extends tf.KernelBackend {
  readonly isUsingGpuDevice: boolean;
}
interface BackendModule {
  NodeJSKernelBackend: new (binding: TensorflowBinding, packageName: string) => TensorflowBackend;
}

/**
 * Makes tfjs compute on TensorFlow's own library: with CUDA where its driver and libraries are, else on the processor. Of
 * tfjs-node the backend and its kernels are used, not its start, which wants a library of its own beside it.
 * @throws Error where the library, its binding or the npm package is missing or does not load.
 */
export async function openTensorflow({ device, threads }: { device: string; threads: number }): Promise<OpenBackend> {
  const library = realProbes.tensorflowLibrary();
  if ('missing' in library) throw new Error(library.missing);
  setTensorflowVariables(threads);
  const load = createRequire(import.meta.url);
  load(`${TENSORFLOW_PACKAGE}/dist/register_all_kernels`);
  const { NodeJSKernelBackend } = load(`${TENSORFLOW_PACKAGE}/dist/nodejs_kernel_backend`) as BackendModule;
  const binding = load(library.binding) as TensorflowBinding;
  const backend = new NodeJSKernelBackend(binding, TENSORFLOW_PACKAGE);
  if (tf.findBackendFactory('tensorflow') !== null) tf.removeBackend('tensorflow');
  tf.registerBackend('tensorflow', () => backend);
  await tf.setBackend('tensorflow');
  return {
    name: 'tensorflow',
    device: backend.isUsingGpuDevice ? device : realProbes.processor(),
    isGpu: backend.isUsingGpuDevice,
    version: binding.TF_Version,
    versions: {
      'tfjs-core': tf.version_core,
      'tfjs-node-gpu': realProbes.packageVersion(TENSORFLOW_PACKAGE) ?? 'unknown',
      tensorflow: binding.TF_Version,
    },
    reason: '',
    memory: engineMemory(null),
    close: async () => tf.removeBackend('tensorflow'),
  };
}
