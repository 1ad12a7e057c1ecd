import { tf } from '../tf.ts';
import { binaryKernels } from './binaryKernels.ts';
import { fillKernels } from './fillKernels.ts';
import { layoutKernels } from './layoutKernels.ts';
import { matrixKernels } from './matrixKernels.ts';
import type { OwnKernel } from './ownKernel.ts';
import { reductionKernels } from './reductionKernels.ts';
import { rowKernels } from './rowKernels.ts';
import { softmaxKernels } from './softmaxKernels.ts';
import { unaryKernels } from './unaryKernels.ts';
import type { WasmBackend } from './wasmBackend.ts';

/** Kernels of our own, which go before tfjs's plain ones. */
const OWN: readonly OwnKernel[] = [
  ...binaryKernels,
  ...fillKernels,
  ...layoutKernels,
  ...matrixKernels,
  ...reductionKernels,
  ...rowKernels,
  ...softmaxKernels,
  ...unaryKernels,
];

let registered = false;

/** Registers the backend's kernels with tfjs: our own, and the plain CPU kernels for everything else. Once a process. */
export function registerWasmKernels(): void {
  if (registered) return;
  registered = true;
  const own = new Map(OWN.map((kernel) => [kernel.name, kernel]));
  for (const plain of tf.getKernelsForBackend('cpu')) {
    const ours = own.get(plain.kernelName);
    tf.registerKernel(
      ours === undefined
        ? { ...plain, backendName: 'wasm' }
        : {
            kernelName: plain.kernelName,
            backendName: 'wasm',
            kernelFunc: (given) =>
              ours.compute({
                backend: given.backend as WasmBackend,
                inputs: given.inputs,
                attributes: given.attrs ?? {},
              }) ?? plain.kernelFunc(given),
          },
    );
  }
}
