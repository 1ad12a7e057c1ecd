import type { Capacity } from '#src/base/lib/capacity.ts';
import { isStatementTimeout, isUnreachable } from './isUnreachable.ts';

/**
 * Subscriptions that have much to read do so at multiples of this, all at once: changes in between are read together, and
 * what several of them want is read for all.
 */
export const READ_INTERVAL_MS = 200;
/** Between two tries while the database cannot be reached. */
const RETRY_MS = 1_000;

export interface ChangeSource<Item> {
  /** Starts to listen and calls `wake` at every change; returns the function that ends it. Called at once. */
  listen(wake: () => void): () => void;
  /**
   * What is new since the last read, oldest first; called once at the start, then after a `wake`. Where it returns
   * `more`, it is called again without waiting for a change.
   */
  read(): Promise<{ items: Item[]; more: boolean }>;
  /** Told when a read failed because the database was away or slow; the stream goes on. */
  onRetry?(error: unknown): void;
  intervalMs?: number;
  /** Asked for before each read; what has been read holds it until all of it has been taken. */
  outlet?: Capacity | undefined;
}

/**
 * Items of a subscription: listens first and reads then, so that nothing falls between. A slow consumer costs no memory,
 * since nothing is read before it asks for more. `return` ends a waiting `next` at once and releases the listener, which an
 * async generator blocked in an `await` would not.
 */
export function changeStream<Item>(source: ChangeSource<Item>): AsyncIterableIterator<Item> {
  const intervalMs = source.intervalMs ?? READ_INTERVAL_MS;
  let dirty = true;
  let closed = false;
  let readAt = Number.NEGATIVE_INFINITY;
  let items: Item[] = [];
  let interrupt: () => void = () => {};
  let release: () => void = () => {};
  const stopListening = source.listen(() => {
    dirty = true;
    interrupt();
  });

  function close(): void {
    closed = true;
    items = [];
    giveBack();
    stopListening();
    interrupt();
  }

  function giveBack(): void {
    release();
    release = () => {};
  }

  /** Ends with the time, or when the stream is closed. */
  async function pause(milliseconds: number): Promise<void> {
    const until = performance.now() + milliseconds;
    for (let left = milliseconds; left > 0 && !closed; left = until - performance.now()) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        interrupt = () => {
          if (!closed) return;
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  async function changed(): Promise<void> {
    while (!dirty && !closed) {
      await new Promise<void>((resolve) => {
        interrupt = resolve;
      });
    }
  }

  async function readMore(): Promise<void> {
    await changed();
    // at once after a quiet time, else at the next common moment
    await pause(intervalMs * (Math.floor(readAt / intervalMs) + 1) - performance.now());
    if (closed) return;
    release = (await source.outlet?.take(1)) ?? release;
    if (closed) return giveBack();
    dirty = false;
    readAt = performance.now();
    try {
      const found = await source.read();
      items = found.items;
      dirty ||= found.more;
    } catch (error) {
      if (!isUnreachable(error) && !isStatementTimeout(error)) throw error;
      source.onRetry?.(error);
      dirty = true;
      await pause(RETRY_MS);
    }
  }

  async function next(): Promise<IteratorResult<Item>> {
    try {
      while (!closed) {
        const item = items.shift();
        if (item !== undefined) return { value: item, done: false };
        giveBack();
        await readMore();
      }
    } catch (error) {
      close();
      throw error;
    }
    return { value: undefined, done: true };
  }

  let last: Promise<unknown> = Promise.resolve();
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    next() {
      const result = last.then(next, next);
      last = result;
      return result;
    },
    async return() {
      close();
      return { value: undefined, done: true };
    },
    async throw(error) {
      close();
      throw error;
    },
  };
}
