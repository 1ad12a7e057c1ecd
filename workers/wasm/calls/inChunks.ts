/** What one chunk shall take: so long does a cancellation wait. */
const CHUNK_MS = 50;
/** A chunk is at most so many times as large as the one before it. */
const GROWTH = 4;
/** What a pace counts for in the next chunk: a moment without a processor does not make the chunks small. */
const FADING = 0.8;

export interface ChunkedWork {
  count: number;
  /** The size of the first chunk; those after it are multiples of it. */
  unit: number;
  /** Does the things from `from` to before `to`. */
  run(from: number, to: number): void;
  /** Called before each chunk with the number of things done; may throw to stop. */
  between?: ((done: number) => void) | undefined;
}

/** Does `count` things in chunks of some 50 ms, by the pace of the chunks before. */
export function inChunks({ count, unit, run, between }: ChunkedWork): void {
  let units = 1;
  /** Units in a millisecond. */
  let pace = 0;
  for (let from = 0; from < count; ) {
    between?.(from);
    const to = Math.min(count, from + units * unit);
    const started = performance.now();
    run(from, to);
    pace = Math.max(units / (performance.now() - started), FADING * pace);
    units = Math.max(1, Math.min(Math.floor(pace * CHUNK_MS), units * GROWTH));
    from = to;
  }
}
