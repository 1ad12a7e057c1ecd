import { setTimeout as delay } from 'node:timers/promises';
import { coerceError } from '#src/base/lib/coerceError.ts';

export interface RetryOptions {
  /** Errors that another try cannot mend are thrown at once. */
  isFinal(error: unknown): boolean;
  /** Stops the tries; the error is then the signal's reason. */
  signal?: AbortSignal;
  /** Told before each wait. */
  onRetry?(error: Error, failures: number, waitMs: number): void;
  /** Milliseconds before the second try; doubled after each failure. */
  firstWaitMs?: number;
  longestWaitMs?: number;
}

/** Runs `action` until it succeeds, however long that takes: what is away (database, API) comes back. */
export async function retryUntilDone<T>(action: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { isFinal, signal, onRetry, firstWaitMs = 100, longestWaitMs = 5_000 } = options;
  let waitMs = firstWaitMs;
  for (let failures = 1; ; failures++) {
    signal?.throwIfAborted();
    try {
      return await action();
    } catch (thrown) {
      if (isFinal(thrown)) throw thrown;
      signal?.throwIfAborted();
      onRetry?.(coerceError(thrown), failures, waitMs);
    }
    await delay(waitMs, undefined, signal === undefined ? {} : { signal }).catch(() => signal?.throwIfAborted());
    waitMs = Math.min(longestWaitMs, waitMs * 2);
  }
}
