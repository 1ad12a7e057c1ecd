import type { BackendName } from './detectBackends.ts';

/** Bytes that tensors hold on the backend's device. */
export interface TensorMemory {
  bytesInUse: number;
  /** The most at any time since the backend was opened. */
  peakBytes: number;
  /** What tensors may hold together; null where only the machine's own memory bounds them. */
  limitBytes: number | null;
}

/** A backend on which tfjs computes now. */
export interface OpenBackend {
  name: BackendName;
  /** As its driver names it. */
  device: string;
  /** Whether the device is a graphics processor, not an imitation of one. */
  isGpu: boolean;
  /** Of the library that computes. */
  version: string;
  /** Of every library involved, by name. */
  versions: Record<string, string>;
  /** Why this backend and not another. */
  reason: string;
  memory(): TensorMemory;
  /** Frees all tensors and ends its threads and devices. Once is enough; more does nothing. */
  close(): Promise<void>;
}

/** Bytes for people: `1,536 MiB`; below one MiB with a decimal. */
export function formatMebibytes(bytes: number): string {
  const mebibytes = bytes / 2 ** 20;
  return `${mebibytes.toLocaleString('en', { maximumFractionDigits: mebibytes < 10 ? 1 : 0 })} MiB`;
}
