import type { ArtifactStore } from '#src/base/platform/artifacts/artifactStore.ts';

/** Read and checked at a time, in bytes: about 3 MB a second at the loop's pace. */
const BYTES_AT_A_TIME = 32 * 1024 ** 2;
/** Between two checks of the same file, in milliseconds. */
const AGAIN_MS = 24 * 60 * 60 * 1_000;

/** Returns what checks the next part of the store against its digests, and goes through all of it once a day at most. */
export function createScrubber(store: ArtifactStore): () => Promise<void> {
  let waiting: string[] = [];
  let nextRoundMs = 0;
  return async () => {
    if (waiting.length === 0) {
      if (performance.now() < nextRoundMs) return;
      nextRoundMs = performance.now() + AGAIN_MS;
      for await (const { names, damaged } of store.list()) if (!damaged) waiting = waiting.concat(names);
    }
    for (let read = 0; read < BYTES_AT_A_TIME; ) {
      const sha256 = waiting.pop();
      if (sha256 === undefined) return;
      read += (await store.size(sha256)) ?? 0;
      await store.verify(sha256);
    }
  };
}
