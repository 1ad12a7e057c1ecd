import type { SequenceLayout } from '../sequenceLayout.ts';
import { tf } from '../tf.ts';
import type { WasmBackend } from '../wasm/wasmBackend.ts';
import { differentiable } from './differentiable.ts';
import { heapTensor, heapWalk } from './heapTensor.ts';
import { packedBytes } from './packedBytes.ts';

/** What goes from state to state. */
export interface GruRecurrence {
  /** [width, 3 width] */
  readonly hiddenWeight: tf.Tensor2D;
  /** [3 width] */
  readonly hiddenBias?: tf.Tensor1D | undefined;
  /** [sequences, width] */
  readonly initial?: tf.Tensor2D | undefined;
}

/** The states after every token in one kernel; `projected` [tokens, 3 width] is what the inputs add to the gates. */
export function fusedGru(
  backend: WasmBackend,
  projected: tf.Tensor2D,
  { layout, hiddenWeight, hiddenBias, initial }: GruRecurrence & { layout: SequenceLayout },
): tf.Tensor2D {
  const width = hiddenWeight.shape[0];
  const { tokens, sequences } = layout;
  const scratchBytes = 16 * width * (sequences + 2 * backend.kernels.lanes) + 64 * backend.kernels.lanes;
  const panelBytes = packedBytes(width, 3 * width);
  const optional = [hiddenBias, initial].filter((tensor) => tensor !== undefined);
  return differentiable<tf.Tensor2D>([projected, hiddenWeight, ...optional], (save) => {
    const states = heapTensor<tf.Tensor2D>(backend, [tokens, width]);
    const gates = heapTensor<tf.Tensor2D>(backend, [tokens, 4 * width]);
    const weight = backend.addressOf(hiddenWeight);
    const walk = heapWalk(backend, layout);
    backend.withScratch(scratchBytes + panelBytes, (panels) => {
      backend.compute(panelBytes / 4, 'packPanels', weight, 12 * width, panels, width, 3 * width, 0);
      backend.kernels.run('gruForward', {
        ...walk,
        projected: backend.addressOf(projected),
        panels,
        bias: hiddenBias ? backend.addressOf(hiddenBias) : 0,
        initial: initial ? backend.addressOf(initial) : 0,
        states: states.address,
        gates: gates.address,
        scratch: panels + panelBytes,
        sequences,
        width,
      });
    });
    save([states.tensor, gates.tensor, hiddenWeight, ...(initial ? [initial] : [])]);
    return {
      value: states.tensor,
      gradient: (upstream, [keptStates, keptGates, keptWeight, keptInitial]) => {
        const forProjected = heapTensor<tf.Tensor2D>(backend, [tokens, 3 * width]);
        const forRecurrent = heapTensor<tf.Tensor2D>(backend, [tokens, 3 * width]);
        const before = heapTensor<tf.Tensor2D>(backend, [tokens, width]);
        const forInitial = keptInitial ? heapTensor<tf.Tensor2D>(backend, [sequences, width]) : null;
        const kept = backend.addressOf(keptWeight!);
        const walk = heapWalk(backend, layout);
        const transposedBytes = packedBytes(3 * width, width);
        backend.withScratch(scratchBytes + transposedBytes, (panels) => {
          backend.compute(panelBytes / 4, 'packPanels', kept, 12 * width, panels, 3 * width, width, 1);
          backend.kernels.run('gruBackward', {
            ...walk,
            upstream: backend.addressOf(upstream),
            panels,
            initial: keptInitial ? backend.addressOf(keptInitial) : 0,
            states: backend.addressOf(keptStates!),
            gates: backend.addressOf(keptGates!),
            projectedGradient: forProjected.address,
            recurrentGradient: forRecurrent.address,
            before: before.address,
            initialGradient: forInitial ? forInitial.address : 0,
            scratch: panels + transposedBytes,
            sequences,
            width,
          });
        });
        return [
          forProjected.tensor,
          tf.matMul(before.tensor, forRecurrent.tensor, true, false),
          ...(hiddenBias ? [tf.sum(forRecurrent.tensor, 0)] : []),
          ...(forInitial ? [forInitial.tensor] : []),
        ];
      },
    };
  });
}
