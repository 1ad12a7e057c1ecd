import type { SequenceLayout } from '../sequenceLayout.ts';
import { tf } from '../tf.ts';
import { splitByPlace, timeMajorOrder } from '../timeMajorOrder.ts';
import { composedEmbeddingLookup } from './embeddingLookup.ts';

/** What a recurrent layer walks over out of tfjs operations. */
export interface RecurrenceWalk {
  /** [tokens, columns] what the inputs add, packed. */
  readonly projected: tf.Tensor2D;
  readonly layout: SequenceLayout;
  /** [sequences, width] states before the first token. */
  readonly initial: tf.Tensor2D;
  /** The states [rows, width] at place `t` from what the inputs add there [rows, columns] and the states before. */
  step(projected: tf.Tensor2D, before: tf.Tensor2D, t: number): tf.Tensor2D;
}

/** The states after every token, packed: [tokens, width]. Place by place, over the sequences that still go on. */
export function composedRecurrence({ projected, layout, initial, step }: RecurrenceWalk): tf.Tensor2D {
  return tf.tidy(() => {
    const order = timeMajorOrder(layout);
    const width = initial.shape[1];
    const inputs = splitByPlace(composedEmbeddingLookup(projected, order.rows), order);
    let state = composedEmbeddingLookup(initial, order.sequences); // (sequences, width), longest first
    const states = inputs.map((input, t) => {
      const active = order.counts[t]!;
      const before = active === state.shape[0] ? state : tf.slice(state, [0, 0], [active, width]);
      state = step(input, before, t);
      return state;
    });
    return composedEmbeddingLookup(tf.concat(states, 0), order.places);
  });
}
