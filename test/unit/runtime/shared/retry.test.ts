import { describe, expect, test } from 'vitest';
import { retryUntilDone } from '#workers/runtime/shared/retry.ts';

const passing = { isFinal: () => false, firstWaitMs: 1, longestWaitMs: 4 };

describe('retrying', () => {
  test('tries until it succeeds, waiting longer each time up to the longest', async () => {
    const waits: number[] = [];
    let tries = 0;
    const result = await retryUntilDone(
      async () => {
        if (++tries < 6) throw new Error('away');
        return 'done';
      },
      { ...passing, onRetry: (_error, _failures, waitMs) => waits.push(waitMs) },
    );
    expect(result).toBe('done');
    expect(waits).toEqual([1, 2, 4, 4, 4]);
  });

  test('throws what another try cannot mend', async () => {
    const action = () => Promise.reject(new Error('refused'));
    await expect(retryUntilDone(action, { ...passing, isFinal: () => true })).rejects.toThrow('refused');
  });

  test('stops waiting when aborted', async () => {
    const abort = new AbortController();
    const action = () => Promise.reject(new Error('away'));
    const options = { isFinal: () => false, firstWaitMs: 60_000, signal: abort.signal };
    const retrying = retryUntilDone(action, { ...options, onRetry: () => abort.abort(new Error('enough')) });
    await expect(retrying).rejects.toThrow('enough');
  });
});
