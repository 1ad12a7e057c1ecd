import { badInput } from '#src/base/contracts/errors.ts';
import type { tf } from '../tf.ts';
import { checkIds } from './checkIds.ts';
import { composedFullSoftmax } from './composedFullSoftmax.ts';
import { expectShape } from './expectShape.ts';
import type { FullSoftmax } from './fullSoftmax.ts';
import { fusedFullSoftmax } from './fusedFullSoftmax.ts';
import { checkNormaliser } from './sampledLoss.ts';
import { wasmBackendInUse } from './wasmBackendInUse.ts';

/**
 * Cross-entropy over all items: the sum over positions of w (log Σ_j e^(s_j) - s_target), over the normaliser, where s is
 * `hidden` times the transposed `table`, plus `bias`. A scalar, differentiable in `hidden`, `table` and `bias`. The scores of
 * a few positions at a time are made and, where somebody differentiates, turned into gradients at once: never
 * [positions, items] whole, and nothing is computed twice. Throws BAD_INPUT for shapes or targets that do not fit.
 */
export function fullSoftmaxCrossEntropy(softmax: FullSoftmax): tf.Scalar {
  check(softmax);
  const backend = wasmBackendInUse();
  return backend ? fusedFullSoftmax(backend, softmax) : composedFullSoftmax(softmax);
}

function check({ hidden, table, targets, bias, weights, normaliser }: FullSoftmax): void {
  const where = 'fullSoftmaxCrossEntropy';
  expectShape(where, 'hidden', hidden, [null, null]);
  expectShape(where, 'table', table, [null, hidden.shape[1]]);
  checkIds(`${where}: targets`, targets, { rows: table.shape[0], expected: hidden.shape[0] });
  if (bias) expectShape(where, 'bias', bias, [table.shape[0]]);
  if (weights && weights.length !== targets.length) {
    throw badInput(`${where}: ${weights.length} weights; expected ${targets.length}, one for each position`);
  }
  checkNormaliser(where, normaliser);
}
