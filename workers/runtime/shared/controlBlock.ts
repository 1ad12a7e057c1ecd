import { WarrenError } from '#src/base/contracts/errors.ts';
import type { Cancellation } from '#workers/experiments/experiment.ts';

const CANCELLED = 0;
const PENDING = 1;
const CELLS = 2;
const WAIT_MS = 50;

/**
 * Memory shared by the executor's event loop and its compute thread: the cancel flag, and how many reports of the thread
 * are not yet safe. A thread that is inside a long loop sees both without reading messages.
 */
export class ControlBlock {
  private readonly cells: Int32Array<SharedArrayBuffer>;

  constructor(readonly buffer: SharedArrayBuffer = new SharedArrayBuffer(CELLS * Int32Array.BYTES_PER_ELEMENT)) {
    this.cells = new Int32Array(buffer);
  }

  get cancelled(): boolean {
    return Atomics.load(this.cells, CANCELLED) !== 0;
  }

  cancel(): void {
    Atomics.store(this.cells, CANCELLED, 1);
    Atomics.notify(this.cells, PENDING);
  }

  /** Reports that the thread has made and that are not yet recorded. */
  get pending(): number {
    return Atomics.load(this.cells, PENDING);
  }

  addPending(count: number): void {
    Atomics.add(this.cells, PENDING, count);
  }

  removePending(count: number): void {
    Atomics.sub(this.cells, PENDING, count);
    Atomics.notify(this.cells, PENDING);
  }

  /** Blocks the calling thread while `limit` or more reports are pending; returns at once when cancelled. */
  waitForRoom(limit: number): void {
    while (!this.cancelled) {
      const pending = this.pending;
      if (pending < limit) return;
      Atomics.wait(this.cells, PENDING, pending, WAIT_MS);
    }
  }
}

/** The cancel flag as experiments see it; `onCheck` runs at every look, which loops take at least every 100 ms. */
export function cancellationOf(control: ControlBlock, onCheck: () => void = () => undefined): Cancellation {
  return {
    get cancelled() {
      onCheck();
      return control.cancelled;
    },
    throwIfCancelled() {
      onCheck();
      if (control.cancelled) throw new WarrenError('CANCELLED', 'the run was cancelled');
    },
  };
}
