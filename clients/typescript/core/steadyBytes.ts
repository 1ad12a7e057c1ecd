import { reasonOf, Unreachable } from './failures.ts';

/**
 * The bytes of a body as they come. It may last as long as it likes; only silence ends it, and the time in which nobody asks
 * for more is none.
 * @param silenceMs Milliseconds without a byte that end it.
 * @throws Unreachable where it breaks off, falls silent or has fewer bytes than it says
 */
export async function* steadyBytes(
  response: Pick<Response, 'body' | 'headers'>,
  { url, silenceMs }: { url: string; silenceMs: number },
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  let received = 0;
  let whole = false;
  try {
    for (;;) {
      const { done, value } = await within(silenceMs, reader.read(), url);
      if (done) break;
      received += value.length;
      yield value;
    }
    whole = true;
  } finally {
    // what is not wanted any more, or does not come, must not keep the connection
    if (!whole) void reader.cancel().catch(() => {});
  }
  const said = response.headers.get('content-encoding') === null ? response.headers.get('content-length') : null;
  if (said !== null && received !== Number(said)) {
    throw new Unreachable(`${url} breaks off: ${received} of ${said} bytes came`);
  }
}

async function within<Next>(silenceMs: number, next: Promise<Next>, url: string): Promise<Next> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silent = new Promise<never>((_resolve, reject) => {
    const text = `${url} breaks off: nothing came for ${silenceMs / 1000} s`;
    timer = setTimeout(() => reject(new Unreachable(text)), silenceMs);
  });
  try {
    return await Promise.race([next, silent]);
  } catch (error) {
    throw error instanceof Unreachable ? error : new Unreachable(`${url} breaks off: ${reasonOf(error)}`);
  } finally {
    clearTimeout(timer);
  }
}

/** All of the bytes. */
export async function blobOf(bytes: AsyncIterable<Uint8Array<ArrayBuffer>>): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for await (const part of bytes) parts.push(part);
  return new Blob(parts);
}
