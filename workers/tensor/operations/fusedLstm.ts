import type { SequenceLayout } from '../sequenceLayout.ts';
import { tf } from '../tf.ts';
import { timeMajorOrder } from '../timeMajorOrder.ts';
import type { WasmBackend } from '../wasm/wasmBackend.ts';
import { differentiable } from './differentiable.ts';
import { heapIntegers, heapTensor } from './heapTensor.ts';
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
  const { tokens, sequences, offsets } = layout;
  const { lanes } = backend.kernels;
  const scratchBytes = 24 * width * (sequences + lanes) + 64 * lanes;
  const walk = () => [heapIntegers(backend, offsets), heapIntegers(backend, timeMajorOrder(layout).sequences)] as const;
  return differentiable<tf.Tensor2D>([projected, hiddenWeight], (save) => {
    const states = heapTensor<tf.Tensor2D>(backend, [tokens, width]);
    const gates = heapTensor<tf.Tensor2D>(backend, [tokens, 5 * width]);
    const panelBytes = packedBytes(width, 4 * width);
    const weight = backend.addressOf(hiddenWeight);
    const inputs = [backend.addressOf(projected), ...walk()] as const;
    backend.withScratch(scratchBytes + panelBytes, (panels) => {
      backend.compute(panelBytes / 4, 'packPanels', weight, 16 * width, panels, width, 4 * width, 0);
      const places = [states.address, gates.address, panels + panelBytes] as const;
      backend.kernels.run('lstmForward', ...inputs, panels, ...places, sequences, width);
    });
    save([states.tensor, gates.tensor, hiddenWeight]);
    return {
      value: states.tensor,
      gradient: (upstream, [keptStates, keptGates, keptWeight]) => {
        const forProjected = heapTensor<tf.Tensor2D>(backend, [tokens, 4 * width]);
        const before = heapTensor<tf.Tensor2D>(backend, [tokens, width]);
        const kept = backend.addressOf(keptWeight!);
        const given = [backend.addressOf(upstream), ...walk()] as const;
        const forward = [backend.addressOf(keptStates!), backend.addressOf(keptGates!)] as const;
        const transposedBytes = packedBytes(4 * width, width);
        backend.withScratch(scratchBytes + transposedBytes, (panels) => {
          backend.compute(panelBytes / 4, 'packPanels', kept, 16 * width, panels, 4 * width, width, 1);
          const places = [...forward, forProjected.address, before.address, panels + transposedBytes] as const;
          backend.kernels.run('lstmBackward', ...given, panels, ...places, sequences, width);
        });
        return [forProjected.tensor, tf.matMul(before.tensor, forProjected.tensor, true, false)];
      },
    };
  });
}
