import { coerceError } from '#src/base/lib/coerceError.ts';
import { WarrenError } from '#src/base/contracts/errors.ts';
import { openBackend } from '#workers/tensor/openBackend.ts';
import { tf } from '#workers/tensor/tf.ts';

/** Numbers of one tensor: 256 MiB. */
const NUMBERS = 2 ** 26;

/**
 * Takes tensors of 256 MiB, each of them read, until the device has no memory left or `gib` are taken; then lets go of them and
 * computes on. Tells how far it came, with what words it ended, and whether the backend still computes what it should.
 */
export async function fillMemory(backend: string, gib: number) {
  const opened = await openBackend({ forced: backend, threads: 1 });
  const kept: tf.Tensor[] = [];
  let error: { code: string; message: string } | null = null;
  const started = performance.now();
  try {
    while (kept.length < 4 * gib) {
      const next = tf.fill([NUMBERS], kept.length);
      kept.push(next);
      await tf.tidy(() => tf.slice(next, [0], [1])).data();
    }
  } catch (thrown) {
    const { message } = coerceError(thrown);
    error = { code: thrown instanceof WarrenError ? thrown.code : 'none', message: message.slice(0, 500) };
  }
  const seconds = (performance.now() - started) / 1000;
  const gibTaken = kept.length / 4;
  tf.dispose(kept);
  let computesAfter = false;
  try {
    const sum = tf.tidy(() => tf.sum(tf.ones([1000])));
    computesAfter = (await sum.data())[0] === 1000;
  } catch {
    // it is told by `computesAfter`
  }
  const { device, isGpu } = opened;
  return { device, isGpu, gibTaken, seconds, error, computesAfter };
}
