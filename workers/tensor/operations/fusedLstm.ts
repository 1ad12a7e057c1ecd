import type { SequenceLayout } from '../sequenceLayout.ts';
import { tf } from '../tf.ts';
import type { WasmBackend } from '../wasm/wasmBackend.ts';
import { differentiable } from './differentiable.ts';
import { heapTensor, heapWalk } from './heapTensor.ts';
import { packedBytes } from './packedBytes.ts';

/** What goes from state to state. */
export interface LstmRecurrence {
  /** [width, 4 width] */
  readonly hiddenWeight: tf.Tensor2D;
}

/** The states after every token in one kernel; `projected` [tokens, 4 width] is what the inputs add to the gates. */
export function fusedLstm(
  backend: WasmBackend,
  projected: tf.Tensor2D,
  { layout, hiddenWeight }: LstmRecurrence & { layout: SequenceLayout },
): tf.Tensor2D {
  const width = hiddenWeight.shape[0];
  const { tokens, sequences } = layout;
  const { lanes } = backend.kernels;
  const scratchBytes = 24 * width * (sequences + lanes) + 64 * lanes;
  return differentiable<tf.Tensor2D>([projected, hiddenWeight], (save) => {
    const states = heapTensor<tf.Tensor2D>(backend, [tokens, width]);
    const gates = heapTensor<tf.Tensor2D>(backend, [tokens, 5 * width]);
    const panelBytes = packedBytes(width, 4 * width);
    const weight = backend.addressOf(hiddenWeight);
    const inputs = { projected: backend.addressOf(projected), ...heapWalk(backend, layout) };
    backend.withScratch(scratchBytes + panelBytes, (panels) => {
      backend.compute(panelBytes / 4, 'packPanels', weight, 16 * width, panels, width, 4 * width, 0);
      const places = { panels, states: states.address, gates: gates.address, scratch: panels + panelBytes };
      backend.kernels.run('lstmForward', { ...inputs, ...places, sequences, width });
    });
    save([states.tensor, gates.tensor, hiddenWeight]);
    return {
      value: states.tensor,
      gradient: (upstream, [keptStates, keptGates, keptWeight]) => {
        const forProjected = heapTensor<tf.Tensor2D>(backend, [tokens, 4 * width]);
        const before = heapTensor<tf.Tensor2D>(backend, [tokens, width]);
        const kept = backend.addressOf(keptWeight!);
        const given = {
          ...heapWalk(backend, layout),
          ...backend.addressesOf({ upstream, states: keptStates!, gates: keptGates! }),
        };
        const transposedBytes = packedBytes(4 * width, width);
        backend.withScratch(scratchBytes + transposedBytes, (panels) => {
          backend.compute(panelBytes / 4, 'packPanels', kept, 16 * width, panels, 4 * width, width, 1);
          const places = { panels, gradient: forProjected.address, before: before.address };
          const scratch = panels + transposedBytes;
          backend.kernels.run('lstmBackward', { ...given, ...places, scratch, sequences, width });
        });
        return [forProjected.tensor, tf.matMul(before.tensor, forProjected.tensor, true, false)];
      },
    };
  });
}
