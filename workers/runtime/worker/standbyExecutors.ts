import { ExecutorHandle, type ExecutorOptions } from './executorHandle.ts';

/**
 * Executors that have started, so that a short run does not wait for a process to start: each waits for a task, or
 * executes one. Where a run ended well, the next may have its executor, with code that is loaded and compiled; after any
 * other end it has a fresh one.
 */
export class StandbyExecutors {
  private waiting: ExecutorHandle[] = [];
  private readonly taken = new Set<ExecutorHandle>();
  private closed = false;

  /** @param size How many there are at once, as long as no more are taken. */
  constructor(
    private readonly options: ExecutorOptions,
    private readonly size: number,
  ) {
    this.refill();
  }

  /** An executor for one task; it may still be starting when none had been waiting. */
  take(): ExecutorHandle {
    const executor = this.waiting.find(({ isAlive }) => isAlive) ?? this.open();
    this.waiting = this.waiting.filter((other) => other !== executor && other.isAlive);
    this.taken.add(executor);
    this.refill();
    return executor;
  }

  async close(): Promise<void> {
    this.closed = true;
    for (const executor of this.waiting) dismiss(executor);
    await Promise.all(this.waiting.map(({ ended }) => ended));
  }

  private open(): ExecutorHandle {
    const executor = new ExecutorHandle({ ...this.options, onFree: (free) => this.giveBack(free) });
    void executor.ended.then(() => {
      this.waiting = this.waiting.filter((other) => other !== executor);
      // one that died while it waited is not replaced before it is missed: the next might die as well
      if (this.taken.delete(executor)) this.refill();
    });
    return executor;
  }

  private giveBack(executor: ExecutorHandle): void {
    this.taken.delete(executor);
    if (this.closed || this.waiting.length + this.taken.size >= this.size) dismiss(executor);
    else this.waiting.push(executor);
  }

  private refill(): void {
    while (!this.closed && this.waiting.length + this.taken.size < this.size) this.waiting.push(this.open());
  }
}

function dismiss(executor: ExecutorHandle): void {
  executor.kill({ code: 'CANCELLED', message: 'not needed any more' });
}
