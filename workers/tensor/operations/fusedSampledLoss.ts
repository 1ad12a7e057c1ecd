import { tf } from '../tf.ts';
import { differentiable } from './differentiable.ts';
import type { SampledLoss } from './sampledLoss.ts';
import { wasmBackendInUse } from './wasmBackendInUse.ts';

/**
 * A loss over sampled items in one kernel forward and one backward; `kind` is of `sampledLossFields.ts`. Forward keeps the
 * derivative of the loss in every score, (positions, 1 + k).
 */
export function fusedSampledLoss(loss: SampledLoss, kind: number): tf.Scalar {
  const { hidden, table, positives, negatives } = loss;
  const backend = wasmBackendInUse()!;
  const engine = tf.engine();
  const [positions, columns] = hidden.shape;
  const [items] = table.shape;
  const each = negatives.length / positions;
  const scale = 1 / (loss.normaliser ?? positions);
  return differentiable<tf.Scalar>([hidden, table], (save) => {
    const value = backend.allocate([], 'float32');
    const slopes = backend.allocate([positions, 1 + each], 'float32');
    const candidates = candidateTensor(positives, negatives, each);
    const { lanes } = backend.kernels;
    backend.withScratch(lanes * 64, (sums) => {
      backend.kernels.run('sampledLossForward', {
        hidden: backend.addressOf(hidden),
        table: backend.addressOf(table),
        candidates: backend.addressOf(candidates),
        slopes: slopes.address,
        sums,
        kind,
        positions,
        each,
        columns,
        scale,
      });
      backend.kernels.runAlone('sumLanes', sums, value.address, lanes, scale);
    });
    save([hidden, table, engine.makeTensorFromTensorInfo(slopes.info), candidates]);
    return {
      value: engine.makeTensorFromTensorInfo(value.info),
      gradient: (upstream, [keptHidden, keptTable, keptSlopes, keptCandidates]) => {
        const hiddenGradient = backend.allocate([positions, columns], 'float32');
        const tableGradient = backend.allocate([items, columns], 'float32');
        backend.kernels.run('sampledLossBackward', {
          hidden: backend.addressOf(keptHidden!),
          table: backend.addressOf(keptTable!),
          candidates: backend.addressOf(keptCandidates!),
          slopes: backend.addressOf(keptSlopes!),
          upstream: backend.addressOf(upstream),
          hiddenGradient: hiddenGradient.address,
          tableGradient: tableGradient.address,
          positions,
          width: 1 + each,
          columns,
          items,
        });
        return [
          engine.makeTensorFromTensorInfo(hiddenGradient.info),
          engine.makeTensorFromTensorInfo(tableGradient.info),
        ];
      },
    };
  });
}

/** (positions, 1 + k): the positive of each position, then its negatives. */
function candidateTensor(positives: Int32Array, negatives: Int32Array, each: number): tf.Tensor2D {
  const width = 1 + each;
  const candidates = new Int32Array(positives.length * width);
  for (let position = 0; position < positives.length; position++) {
    candidates[position * width] = positives[position]!;
    for (let k = 0; k < each; k++) candidates[position * width + 1 + k] = negatives[position * each + k]!;
  }
  return tf.tensor2d(candidates, [positives.length, width], 'int32');
}
