/** Places for jobs that the consumers of several queues share, and whether any are given away now. */
export class SlotPool {
  private taken = 0;
  private held = false;
  private readonly listeners = new Set<() => void>();

  /** @param size Jobs held at once. */
  constructor(private readonly size: number) {}

  get isFull(): boolean {
    return this.held || this.taken >= this.size;
  }

  /** No place is given away. */
  get isHeld(): boolean {
    return this.held;
  }

  /** Gives no more places away, or gives them again. */
  hold(held: boolean): void {
    this.held = held;
    this.tell();
  }

  /** Takes a place; false when there is none to be had. */
  take(): boolean {
    if (this.isFull) return false;
    this.taken += 1;
    this.tell();
    return true;
  }

  release(): void {
    this.taken -= 1;
    this.tell();
  }

  /** Calls `listener` whenever a place is taken or released, until `signal` is aborted. */
  onChange(listener: () => void, signal: AbortSignal): void {
    this.listeners.add(listener);
    signal.addEventListener('abort', () => this.listeners.delete(listener), { once: true });
  }

  /** Resolves when it `isOpen`, or at once when `signal` is aborted. */
  async until(isOpen: () => boolean, signal: AbortSignal): Promise<void> {
    while (!isOpen() && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const settle = () => {
          this.listeners.delete(settle);
          signal.removeEventListener('abort', settle);
          resolve();
        };
        this.listeners.add(settle);
        signal.addEventListener('abort', settle, { once: true });
      });
    }
  }

  private tell(): void {
    for (const listener of [...this.listeners]) listener();
  }
}
