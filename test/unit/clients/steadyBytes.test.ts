import { afterEach, expect, it, vi } from 'vitest';
import { blobOf, steadyBytes } from '#clients/typescript/core/steadyBytes.ts';

afterEach(() => void vi.useRealTimers());

/** A body that is given by hand, and what reading it comes to. */
function body(headers: Record<string, string> = {}) {
  let hand: ReadableStreamDefaultController<Uint8Array> | undefined;
  let cancelled = false;
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      hand = controller;
    },
    cancel() {
      cancelled = true;
    },
  });
  const options = { url: 'http://here', silenceMs: 30_000 };
  const whole = blobOf(steadyBytes(new Response(stream, { headers }), options)).then(
    (blob) => blob.text(),
    (error: unknown) => String(error),
  );
  return { hand: hand!, whole, isCancelled: () => cancelled };
}

it('a download lasts as long as bytes come; only silence ends it', async () => {
  vi.useFakeTimers();
  const { hand, whole, isCancelled } = body();
  for (let time = 0; time < 10; time++) {
    await vi.advanceTimersByTimeAsync(29_000);
    hand.enqueue(new TextEncoder().encode('x'));
  }
  await vi.advanceTimersByTimeAsync(29_000);
  hand.close();
  expect(await whole).toBe('x'.repeat(10));
  expect(isCancelled()).toBe(false);
  const silent = body();
  silent.hand.enqueue(new TextEncoder().encode('x'));
  await vi.advanceTimersByTimeAsync(30_000);
  expect(await silent.whole).toBe('Error: http://here breaks off: nothing came for 30 s');
  expect(silent.isCancelled()).toBe(true);
});

it('a body of fewer bytes than it says is none', async () => {
  const { hand, whole } = body({ 'content-length': '3' });
  hand.enqueue(new TextEncoder().encode('xy'));
  hand.close();
  expect(await whole).toBe('Error: http://here breaks off: 2 of 3 bytes came');
});
