import type { SequenceLayout } from '../sequenceLayout.ts';
import { tf } from '../tf.ts';
import { splitByPlace, timeMajorOrder, type TimeMajorOrder } from '../timeMajorOrder.ts';
import type { WasmBackend } from '../wasm/wasmBackend.ts';
import { differentiable } from './differentiable.ts';
import { ELMAN_ACTIVATIONS, type ElmanActivation } from './elmanActivation.ts';
import { embeddingLookup } from './embeddingLookup.ts';
import { heapTensor, heapWalk } from './heapTensor.ts';
import { packedBytes } from './packedBytes.ts';

/** What goes from state to state. */
export interface ElmanRecurrence {
  /** [width, width], or [steps, width, width] */
  readonly hiddenWeight: tf.Tensor2D | tf.Tensor3D;
  /** [sequences, width] */
  readonly initial?: tf.Tensor2D | undefined;
  readonly activation: ElmanActivation;
}

/** The states after every token in one kernel; `projected` [tokens, width] is what the inputs add. */
export function fusedElman(
  backend: WasmBackend,
  projected: tf.Tensor2D,
  { layout, hiddenWeight, initial, activation }: ElmanRecurrence & { layout: SequenceLayout },
): tf.Tensor2D {
  const [tokens, width] = projected.shape;
  const { sequences } = layout;
  const { lanes } = backend.kernels;
  const kind = ELMAN_ACTIVATIONS[activation];
  const steps = hiddenWeight.rank === 3 ? layout.maximumLength : 1;
  const matrixBytes = packedBytes(width, width);
  const panelStep = steps > 1 ? matrixBytes : 0;
  const scratchBytes = 8 * width * (sequences + 2 * lanes) + 64 * lanes;
  const pack = (weight: tf.Tensor, panels: number, transposed: number) => {
    const from = backend.addressOf(weight);
    for (let step = 0; step < steps; step++) {
      const matrix = from + 4 * step * width * width;
      const to = panels + step * matrixBytes;
      backend.compute(width * width, 'packPanels', matrix, 4 * width, to, width, width, transposed);
    }
  };
  return differentiable<tf.Tensor2D>([projected, hiddenWeight, ...(initial ? [initial] : [])], (save) => {
    const states = heapTensor<tf.Tensor2D>(backend, [tokens, width]);
    const sums = heapTensor<tf.Tensor2D>(backend, [tokens, width]);
    const order = timeMajorOrder(layout);
    const walk = heapWalk(backend, layout);
    backend.withScratch(steps * matrixBytes + scratchBytes, (panels) => {
      pack(hiddenWeight, panels, 0);
      backend.kernels.run('elmanForward', {
        ...walk,
        projected: backend.addressOf(projected),
        panels,
        panelStep,
        initial: initial ? backend.addressOf(initial) : 0,
        states: states.address,
        sums: sums.address,
        scratch: panels + steps * matrixBytes,
        sequences,
        width,
        kind,
      });
    });
    save([states.tensor, sums.tensor, hiddenWeight, ...(initial ? [initial] : [])]);
    return {
      value: states.tensor,
      gradient: (upstream, [keptStates, keptSums, keptWeight, keptInitial]) => {
        const slopes = heapTensor<tf.Tensor2D>(backend, [tokens, width]);
        const before = heapTensor<tf.Tensor2D>(backend, [tokens, width]);
        const forInitial = keptInitial ? heapTensor<tf.Tensor2D>(backend, [sequences, width]) : null;
        const walk = heapWalk(backend, layout);
        backend.withScratch(steps * matrixBytes + scratchBytes, (panels) => {
          pack(keptWeight!, panels, 1);
          backend.kernels.run('elmanBackward', {
            ...walk,
            upstream: backend.addressOf(upstream),
            panels,
            panelStep,
            initial: keptInitial ? backend.addressOf(keptInitial) : 0,
            states: backend.addressOf(keptStates!),
            sums: backend.addressOf(keptSums!),
            gradient: slopes.address,
            before: before.address,
            initialGradient: forInitial ? forInitial.address : 0,
            scratch: panels + steps * matrixBytes,
            sequences,
            width,
            kind,
          });
        });
        const forWeight =
          hiddenWeight.rank === 2
            ? tf.matMul(before.tensor, slopes.tensor, true, false)
            : untiedGradient(before.tensor, slopes.tensor, {
                order,
                shape: hiddenWeight.shape as [number, number, number],
              });
        return [slopes.tensor, forWeight, ...(forInitial ? [forInitial.tensor] : [])];
      },
    };
  });
}

/** [steps, width, width]: the product of each place's states and slopes; zeros for places that no sequence has. */
function untiedGradient(
  before: tf.Tensor2D,
  slopes: tf.Tensor2D,
  { order, shape }: { order: TimeMajorOrder; shape: [number, number, number] },
): tf.Tensor3D {
  const states = splitByPlace(embeddingLookup(before, order.rows), order);
  const steps = splitByPlace(embeddingLookup(slopes, order.rows), order);
  const products = states.map((state, t) => tf.matMul(state, steps[t]!, true, false));
  while (products.length < shape[0]) products.push(tf.zeros([shape[1], shape[2]]));
  return tf.stack(products) as tf.Tensor3D;
}
