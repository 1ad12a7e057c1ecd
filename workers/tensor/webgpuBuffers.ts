import { WarrenError } from '#src/base/contracts/errors.ts';
import type { GpuDevice } from './dawn.ts';
import { formatMebibytes } from './openedBackend.ts';
import { tf } from './tf.ts';
import type { WebgpuBackend } from './webgpuBackend.ts';

/** Of a buffer that shaders read and write, as WebGPU's constants have it. */
const STORAGE = 0x80;
/** What sizes are rounded up to: an eighth of the power of two below them, and no less. */
const LEAST_STEP = 256;
/** How much larger than asked for a free buffer may be, to be taken instead of a new one. */
const LARGEST_FACTOR = 2;

/** The bytes of the buffer that is made for `size` bytes: at most an eighth more above 2 KiB. */
export function pooledSize(size: number): number {
  const step = Math.max(LEAST_STEP, 2 ** (Math.floor(Math.log2(Math.max(size, 1))) - 3));
  return Math.ceil(size / step) * step;
}

/**
 * tfjs keeps a buffer that is free for a tensor of exactly its size. Batches of packed sequences differ in size from step to step, so
 * nearly every buffer would be made anew, and none ever be let go. Here sizes are rounded up, and what is free and not much
 * larger is taken, so that a few buffers serve all steps; what is read is cut to the size of its tensor.
 */
export function shareBuffersOfLikeSize(backend: WebgpuBackend, { limits }: GpuDevice): void {
  const { bufferManager } = backend;
  const acquire = bufferManager.acquireBuffer.bind(bufferManager);
  const largest = Math.min(limits.maxBufferSize, limits.maxStorageBufferBindingSize);
  const sizeFor = (size: number, usage: number): number => {
    const rounded = pooledSize(size);
    for (let other = rounded; other <= rounded * LARGEST_FACTOR; other = pooledSize(other + 1)) {
      if ((bufferManager.freeBuffers.get(`${other}_${usage}`)?.length ?? 0) > 0) return other;
    }
    return rounded <= largest ? rounded : size;
  };
  bufferManager.acquireBuffer = (size, usage, mappedAtCreation = false, reuse = true) => {
    const isPooled = reuse && (usage & STORAGE) !== 0;
    return acquire(isPooled ? sizeFor(size, usage) : size, usage, mappedAtCreation, reuse);
  };
  const cut = <Values extends tf.BackendValues>(dataId: object, values: Values): Values => {
    const { shape, dtype } = backend.tensorMap.get(dataId);
    const size = tf.util.sizeFromShape(shape) * (dtype === 'complex64' ? 2 : 1);
    return values instanceof Float32Array || values instanceof Int32Array || values instanceof Uint8Array
      ? (values.subarray(0, size) as Values)
      : values;
  };
  const cache = backend.convertAndCacheOnCPU.bind(backend);
  backend.convertAndCacheOnCPU = (dataId, values) => cache(dataId, cut(dataId, values));
  const read = backend.read.bind(backend);
  backend.read = async (dataId) => cut(dataId, await read(dataId));
}

/**
 * Dawn tells of a failed allocation later and elsewhere, and goes on computing with a buffer that is none: here a tensor
 * that no buffer of the device can hold is refused at once, and after any other failed allocation the next one throws.
 */
export function refuseImpossibleBuffers(backend: WebgpuBackend, device: GpuDevice, name: string): void {
  const { maxBufferSize, maxStorageBufferBindingSize } = device.limits;
  const largest = Math.min(maxBufferSize, maxStorageBufferBindingSize);
  const { bufferManager } = backend;
  const acquire = bufferManager.acquireBuffer.bind(bufferManager);
  let failure: string | null = null;
  let asked = 0;
  device.addEventListener('uncapturederror', ({ error }) => {
    if (error.constructor.name === 'GPUOutOfMemoryError') failure ??= error.message;
  });
  void device.lost.then(({ reason, message }) => {
    if (reason !== 'destroyed') failure ??= `the device was lost: ${message}`;
  });
  bufferManager.acquireBuffer = (size, ...rest) => {
    if (failure !== null) {
      const held = formatMebibytes(bufferManager.numBytesAllocated);
      throw new WarrenError(
        'OUT_OF_MEMORY',
        `the memory of ${name} is used up: ${formatMebibytes(asked)} were asked for beside the ${held} that tensors hold (${failure})`,
      );
    }
    if (size > largest) {
      throw new WarrenError(
        'OUT_OF_MEMORY',
        `a tensor needs ${formatMebibytes(size)}, and one buffer of ${name} holds ${formatMebibytes(largest)} at most`,
      );
    }
    asked = size;
    return acquire(size, ...rest);
  };
}
