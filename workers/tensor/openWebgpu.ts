import { createRequire } from 'node:module';
import { realProbes } from './backendProbes.ts';
import { loadDawn, type GpuAdapter, type GpuDevice } from './dawn.ts';
import { followPeak } from './engineMemory.ts';
import type { OpenBackend } from './openedBackend.ts';
import { tf } from './tf.ts';
import type { WebgpuBackend } from './webgpuBackend.ts';
import { refuseImpossibleBuffers, shareBuffersOfLikeSize } from './webgpuBuffers.ts';

interface WebgpuModule {
  WebGPUBackend: new (device: GpuDevice, adapterInfo: GpuAdapter['info']) => WebgpuBackend;
}

/** tfjs wants the adapter's own limits, not the small ones that every device has. */
const LIMITS = [
  'maxComputeWorkgroupStorageSize',
  'maxComputeWorkgroupsPerDimension',
  'maxStorageBufferBindingSize',
  'maxBufferSize',
  'maxComputeWorkgroupSizeX',
  'maxComputeInvocationsPerWorkgroup',
] as const;

const SOFTWARE = /swiftshader|llvmpipe|lavapipe|softpipe|microsoft basic render|warp/i;

/** An imitation of a graphics processor by the processor. */
function isSoftware({ info }: GpuAdapter): boolean {
  return info.isFallbackAdapter === true || SOFTWARE.test(`${info.architecture} ${info.device} ${info.description}`);
}

function deviceName({ info }: GpuAdapter): string {
  const { vendor, architecture, device, description } = info;
  const model = device.replace(/[^\w)]+$/, '') || `${vendor} ${architecture}`.trim();
  return [model, description].filter(Boolean).join(', ') || 'GPU';
}

/**
 * Makes tfjs compute on a graphics processor through WebGPU, as Google's Dawn has it for Node: Vulkan, Metal or
 * Direct3D 12 below. Its tensors can be read with `await tensor.data()` alone, since nothing in Node waits for a GPU.
 * Throws where there is no adapter, and for a software GPU unless `isForced`.
 */
export async function openWebgpu({ isForced }: { isForced: boolean }): Promise<OpenBackend> {
  const gpu = await loadDawn();
  const adapter = await gpu.requestAdapter({ powerPreference: 'high-performance' });
  if (adapter === null) {
    throw new Error(
      'WebGPU finds no adapter: a graphics driver is needed, on Linux with Vulkan (Debian: libvulkan1 and the driver of the device)',
    );
  }
  const isGpu = !isSoftware(adapter);
  if (!isGpu && !isForced) {
    throw new Error(`${deviceName(adapter)} is a software GPU, which is used only when forced`);
  }
  const requiredLimits = Object.fromEntries(LIMITS.map((name) => [name, adapter.limits[name]]));
  const device = await adapter.requestDevice({ requiredLimits });
  const { WebGPUBackend } = createRequire(import.meta.url)('@tensorflow/tfjs-backend-webgpu') as WebgpuModule;
  const backend = new WebGPUBackend(device, adapter.info);
  refuseImpossibleBuffers(backend, device, deviceName(adapter));
  shareBuffersOfLikeSize(backend, device);
  refuseToWait(backend);
  tf.removeBackend('webgpu');
  tf.registerBackend('webgpu', () => backend);
  await tf.setBackend('webgpu');
  const { bufferManager } = backend;
  const peakBytes = followPeak(bufferManager, 'numBytesAllocated');
  let isOpen = true;
  const version = realProbes.packageVersion('webgpu') ?? 'unknown';
  return {
    name: 'webgpu',
    device: deviceName(adapter),
    isGpu,
    version: `Dawn ${version}`,
    versions: {
      'tfjs-core': tf.version_core,
      'tfjs-backend-webgpu': realProbes.packageVersion('@tensorflow/tfjs-backend-webgpu') ?? 'unknown',
      webgpu: version,
    },
    reason: '',
    memory: () => ({ bytesInUse: bufferManager.numBytesUsed, peakBytes: peakBytes(), limitBytes: null }),
    close: async () => {
      if (!isOpen) return;
      isOpen = false;
      tf.removeBackend('webgpu');
      backend.dispose();
      device.destroy();
    },
  };
}

/** tfjs reads a GPU synchronously through a browser's canvas; here such a call says what would be right. */
function refuseToWait(backend: WebgpuBackend): void {
  const read = backend.readSync.bind(backend);
  backend.readSync = (dataId) => {
    const { values, dtype } = backend.tensorMap.get(dataId);
    if (values !== undefined && values !== null) return read(dataId);
    throw new Error(
      `internal: a tensor of ${dtype} on the GPU was read synchronously; read it with \`await tensor.data()\``,
    );
  };
}
