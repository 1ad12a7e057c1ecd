import type { Arithmetic } from '#src/contracts/arithmetic.ts';
import { badInput } from '#src/contracts/errors.ts';
import { type FusedSupport, fusedSupport, whyNotFused } from '#workers/wasm/calls/fusedSupport.ts';

/**
 * What the runs of this worker begin with: fused multiply-adds where they are wanted and this processor really fuses.
 * @param warn Told where it does not.
 * @throws WarrenError BAD_INPUT where they are wanted and the engine does not know them.
 */
export function workingArithmetic(
  wanted: Arithmetic,
  warn: (message: string) => void,
  supportOf: () => FusedSupport = fusedSupport,
): Arithmetic {
  if (wanted === 'plain') return 'plain';
  const support = supportOf();
  if (support === 'fused') return 'fused';
  const message = `WARREN_FUSED: ${whyNotFused(support)}`;
  if (support === 'engine') throw badInput(message, 'WARREN_FUSED');
  warn(message);
  return 'plain';
}
