import { badInput } from '#src/base/contracts/errors.ts';
import type { tf } from '../tf.ts';
import { composedWassersteinAttention } from './composedWassersteinAttention.ts';
import { drops } from './dropout.ts';
import { expectShape } from './expectShape.ts';
import { fusedWassersteinAttention } from './fusedWassersteinAttention.ts';
import type { GaussianAttention } from './gaussianAttention.ts';
import { wasmBackendInUse } from './wasmBackendInUse.ts';

/**
 * Stochastic self-attention (Z. Fan et al., "Sequential recommendation via stochastic self-attention", WWW 2022): the
 * weights w of a token's keys, itself and those before it, are the softmax of -W₂² / √(d / heads), W₂² = |μ - μ'|² + |σ - σ'|²
 * being the squared Wasserstein distance of two Gaussians. Returns [tokens, 2d]: Σ w μ, and behind it Σ w² σ². Weights are
 * numbered for dropout as those of `causalAttention`. Throws BAD_INPUT for shapes that do not fit.
 */
export function wassersteinAttention(attention: GaussianAttention): tf.Tensor2D {
  check(attention);
  const backend = wasmBackendInUse();
  return backend ? fusedWassersteinAttention(backend, attention) : composedWassersteinAttention(attention);
}

function check({ query, key, value, layout, heads, dropout }: GaussianAttention): void {
  const columns = query.shape[1];
  expectShape('wassersteinAttention', 'query', query, [layout.tokens, null]);
  expectShape('wassersteinAttention', 'key', key, [layout.tokens, columns]);
  expectShape('wassersteinAttention', 'value', value, [layout.tokens, columns]);
  if (!Number.isInteger(heads) || heads < 1 || columns % (2 * heads) !== 0) {
    throw badInput(`wassersteinAttention: ${heads} heads for ${columns / 2} columns; expected a divisor`, 'heads');
  }
  drops(dropout);
}
