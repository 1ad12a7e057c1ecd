import { cpus } from 'node:os';
import type { Reporter } from '#workers/experiments/experiment.ts';
import { openBackend, type OpenBackendOptions } from '#workers/tensor/openBackend.ts';
import { formatMebibytes, type OpenBackend } from '#workers/tensor/openedBackend.ts';
import { kernelUses } from '#workers/wasm/calls/kernelModule.ts';

/** What of a run's environment says on what it computed. */
export interface BackendFacts {
  backend: string;
  device: string;
  /** Of the libraries that computed. */
  versions: Record<string, string>;
  /** Why this backend; absent for kinds without tensors, which have no choice. */
  backendReason?: string;
  /** The most bytes that tensors held at once; absent for kinds without tensors. */
  peakTensorBytes?: number;
}

export interface RunBackendOptions extends Omit<OpenBackendOptions, 'onFallback'> {
  reporter: Pick<Reporter, 'log'>;
  /** Called once it is open. */
  onOpen(): void;
}

/** The tensor backend of one run: opened when the experiment asks for it, closed by the runtime. */
export class RunBackend {
  private opening: Promise<OpenBackend> | null = null;
  private opened: OpenBackend | null = null;
  private readonly usesBefore = kernelUses();

  constructor(private readonly options: RunBackendOptions) {}

  /** The same one however often it is called. */
  open(): Promise<OpenBackend> {
    this.opening ??= this.openNow();
    return this.opening;
  }

  /**
   * On what the run computed: its tensor backend; where it opened none, Warren's WebAssembly kernels or plain
   * JavaScript, both on the processor. The latter is certain only at the end: null before, while no tensors are used.
   */
  facts({ atEnd }: { atEnd: boolean }): BackendFacts | null {
    if (this.opened !== null) {
      const { name, device, versions, reason } = this.opened;
      return {
        backend: name,
        device,
        versions,
        backendReason: reason,
        peakTensorBytes: this.opened.memory().peakBytes,
      };
    }
    if (!atEnd) return null;
    const device = cpus()[0]?.model.trim() || process.arch;
    return { backend: kernelUses() > this.usesBefore ? 'wasm' : 'cpu', device, versions: {} };
  }

  /** Whether it computes on the processor with Warren's own code, which gives back all that it took. */
  get leavesNothing(): boolean {
    return this.opened === null || this.opened.name === 'wasm' || this.opened.name === 'cpu';
  }

  /** What to add to the message of a failure for want of memory; empty where no tensors are used. */
  memoryWords(): string {
    if (this.opened === null) return '';
    const { bytesInUse, peakBytes, limitBytes } = this.opened.memory();
    const limit = limitBytes === null ? '' : ` of ${formatMebibytes(limitBytes)}`;
    return `; its tensors on ${this.opened.name} hold ${formatMebibytes(bytesInUse)}${limit} (at most ${formatMebibytes(peakBytes)} so far)`;
  }

  /** Frees what the run has opened; never throws, since the run has ended by then. */
  async close(): Promise<void> {
    try {
      await (await this.opening)?.close();
    } catch {
      // it did not open, or its device has gone
    }
  }

  private async openNow(): Promise<OpenBackend> {
    const { reporter } = this.options;
    this.opened = await openBackend({ ...this.options, onFallback: (message) => reporter.log('warn', message) });
    const { name, device, reason } = this.opened;
    reporter.log('info', `computes on ${name} (${device}): ${reason}`);
    this.options.onOpen();
    return this.opened;
  }
}
