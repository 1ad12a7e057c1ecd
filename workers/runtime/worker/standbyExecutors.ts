import { ExecutorHandle, type ExecutorOptions } from './executorHandle.ts';

/**
 * Executors that have started and wait for a task, so that a short run does not wait for a process to start. Each is
 * used once.
 */
export class StandbyExecutors {
  private waiting: ExecutorHandle[] = [];
  private closed = false;

  constructor(
    private readonly options: ExecutorOptions,
    private readonly size: number,
  ) {
    this.refill();
  }

  /** A fresh executor; it may still be starting when none had been waiting. */
  take(): ExecutorHandle {
    const executor = this.waiting.find(({ isAlive }) => isAlive) ?? new ExecutorHandle(this.options);
    this.waiting = this.waiting.filter((other) => other !== executor && other.isAlive);
    this.refill();
    return executor;
  }

  async close(): Promise<void> {
    this.closed = true;
    for (const executor of this.waiting) executor.kill({ code: 'CANCELLED', message: 'not needed any more' });
    await Promise.all(this.waiting.map(({ ended }) => ended));
  }

  private refill(): void {
    while (!this.closed && this.waiting.length < this.size) this.waiting.push(new ExecutorHandle(this.options));
  }
}
