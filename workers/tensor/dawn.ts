/** What Warren asks of WebGPU; the whole standard's types want a browser's library. */
export interface Gpu {
  requestAdapter(options: { powerPreference: 'high-performance' }): Promise<GpuAdapter | null>;
}

export interface GpuAdapter {
  info: { vendor: string; architecture: string; device: string; description: string; isFallbackAdapter?: boolean };
  limits: Readonly<Record<string, number>>;
  requestDevice(descriptor: { requiredLimits: Record<string, number | undefined> }): Promise<GpuDevice>;
}

export interface GpuDevice {
  limits: { maxBufferSize: number; maxStorageBufferBindingSize: number };
  lost: Promise<{ reason: string; message: string }>;
  addEventListener(type: 'uncapturederror', listener: (event: { error: Error }) => void): void;
  destroy(): void;
}

let gpu: Gpu | null = null;

/**
 * Dawn, loaded once, with WebGPU's names where tfjs looks for them: the global scope and `navigator.gpu`. The native
 * object must outlive its devices, so it is never let go.
 */
export async function loadDawn(): Promise<Gpu> {
  if (gpu === null) {
    const { create, globals } = await import('webgpu');
    Object.assign(globalThis, globals);
    gpu = create([]) as unknown as Gpu;
    const navigator: object = 'navigator' in globalThis ? (globalThis.navigator as object) : {};
    Object.defineProperty(navigator, 'gpu', { value: gpu, configurable: true });
    Object.defineProperty(globalThis, 'navigator', { value: navigator, configurable: true, writable: true });
  }
  return gpu;
}
