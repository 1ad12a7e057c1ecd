import { LOG_SOFTMAX, SOFTMAX } from '#workers/wasm/fields/elementwiseFields.ts';
import type { tf } from '../tf.ts';
import { input, isFloat, type KernelCall, type OwnKernel, sizeOf } from './ownKernel.ts';

const COST = 8;

/** Along the last dimension. */
function softmax(call: KernelCall, name: 'logits', axis: unknown, kind: number): tf.TensorInfo | null {
  const { backend } = call;
  const x = input(call, name);
  const last = x.shape.length - 1;
  const size = sizeOf(x.shape);
  if (!isFloat(x) || size === 0 || (axis !== -1 && axis !== last)) return null;
  const columns = x.shape.at(-1) ?? 1;
  const { info, address } = backend.allocate(x.shape, 'float32');
  backend.compute(COST * size, 'softmax', kind, backend.addressOf(x), address, size / columns, columns);
  return info;
}

export const softmaxKernels: readonly OwnKernel[] = [
  { name: 'Softmax', compute: (call) => softmax(call, 'logits', call.attributes.dim, SOFTMAX) },
  { name: 'LogSoftmax', compute: (call) => softmax(call, 'logits', call.attributes.axis, LOG_SOFTMAX) },
];
