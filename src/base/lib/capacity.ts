/** What several tasks share: each takes an amount of it and gives it back. */
export interface Capacity {
  /**
   * Takes `amount` (all there is, where that is less), waiting for its turn in the order of the calls.
   * @returns what gives it back, to be called once; null when too many wait already.
   * @throws The reason of `signal`, when that is aborted before its turn.
   */
  take(amount: number, signal?: AbortSignal): Promise<(() => void) | null>;
  /** Whether nothing is taken and nobody waits. */
  isIdle(): boolean;
}

/**
 * @param options.total What there is to take.
 * @param options.mostWaiting Tasks that may wait for their turn.
 */
export function createCapacity(options: { total: number; mostWaiting: number }): Capacity {
  const { total, mostWaiting } = options;
  const waiting = new Set<{ amount: number; start(): void }>();
  let free = total;

  function give(amount: number): () => void {
    free -= amount;
    return () => {
      free += amount;
      startNext();
    };
  }

  function startNext(): void {
    for (const next of waiting) {
      if (next.amount > free) return;
      waiting.delete(next);
      next.start();
    }
  }

  return {
    async take(wanted, signal) {
      signal?.throwIfAborted();
      const amount = Math.min(wanted, total);
      if (waiting.size === 0 && amount <= free) return give(amount);
      if (waiting.size >= mostWaiting) return null;
      return await new Promise((resolve, reject) => {
        const leave = (): void => {
          waiting.delete(entry);
          reject(signal?.reason);
          startNext();
        };
        const entry = {
          amount,
          start: () => {
            signal?.removeEventListener('abort', leave);
            resolve(give(amount));
          },
        };
        waiting.add(entry);
        signal?.addEventListener('abort', leave, { once: true });
      });
    },
    isIdle: () => free === total && waiting.size === 0,
  };
}
