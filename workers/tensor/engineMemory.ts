import type { TensorMemory } from './openedBackend.ts';
import { tf } from './tf.ts';

/**
 * Follows a counter that somebody else's code raises and lowers, by putting an accessor in its place: exact where looking
 * now and then would miss the peak. Returns its greatest value so far.
 */
export function followPeak<Name extends string>(counter: Record<Name, number>, name: Name): () => number {
  let value = counter[name];
  let peak = value;
  Object.defineProperty(counter, name, {
    configurable: true,
    enumerable: true,
    get: () => value,
    set: (next: number) => {
      value = next;
      if (next > peak) peak = next;
    },
  });
  return () => peak;
}

/** What tfjs itself counts of the tensors of its engine: bytes of their contents, without what a backend adds. */
export function engineMemory(limitBytes: number | null): () => TensorMemory {
  const { state } = tf.engine();
  const peakBytes = followPeak(state, 'numBytes');
  return () => ({ bytesInUse: state.numBytes, peakBytes: peakBytes(), limitBytes });
}
