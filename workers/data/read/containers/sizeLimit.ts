import { WarrenError } from '#src/base/contracts/errors.ts';

/** Passes chunks on, and throws DATA_ERROR once they hold more than `maximumBytes`: an archive may claim any size. */
export async function* limited(
  chunks: AsyncIterable<Uint8Array>,
  { path, maximumBytes }: { path: string; maximumBytes: number },
): AsyncGenerator<Buffer> {
  let total = 0;
  for await (const chunk of chunks) {
    total += chunk.length;
    if (total > maximumBytes) throw tooLarge(path, maximumBytes);
    yield Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  }
}

/** The error of a file that holds more than is read. */
export function tooLarge(path: string, maximumBytes: number): WarrenError {
  const limit = `${(maximumBytes / 2 ** 20).toLocaleString('en')} MiB`;
  return new WarrenError('DATA_ERROR', `${path} holds more than ${limit}, the most that is read. Split it`, { path });
}
