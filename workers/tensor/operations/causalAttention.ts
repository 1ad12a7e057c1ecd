import { badInput } from '#src/base/contracts/errors.ts';
import type { tf } from '../tf.ts';
import type { Attention } from './attention.ts';
import { composedAttention } from './composedAttention.ts';
import { drops } from './dropout.ts';
import { expectShape } from './expectShape.ts';
import { fusedAttention } from './fusedAttention.ts';
import { wasmBackendInUse } from './wasmBackendInUse.ts';

/**
 * Multi-head scaled dot-product attention within each sequence: softmax(Q Kᵀ / √(d / heads)) V (Vaswani et al., 2017, eq. 1).
 * Returns [tokens, d]. The weight of token t (row of the packed matrix), head h and key j has the number
 * (t heads + h) paddedLength + j for dropout, modulo 2³², where j counts from the sequence's first token; pads go on from
 * the sequence's length. Throws BAD_INPUT for shapes that do not fit.
 */
export function causalAttention(attention: Attention): tf.Tensor2D {
  check(attention);
  const backend = wasmBackendInUse();
  return backend ? fusedAttention(backend, attention) : composedAttention(attention);
}

function check({ query, key, value, layout, heads, dropout, pads }: Attention): void {
  const columns = query.shape[1];
  expectShape('causalAttention', 'query', query, [layout.tokens, null]);
  expectShape('causalAttention', 'key', key, [layout.tokens, columns]);
  expectShape('causalAttention', 'value', value, [layout.tokens, columns]);
  if (pads) {
    expectShape('causalAttention', 'pads.key', pads.key, [columns]);
    expectShape('causalAttention', 'pads.value', pads.value, [columns]);
  }
  if (!Number.isInteger(heads) || heads < 1 || columns % heads !== 0) {
    throw badInput(`causalAttention: ${heads} heads for ${columns} columns; expected a divisor`, 'heads');
  }
  drops(dropout);
}
