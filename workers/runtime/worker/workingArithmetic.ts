import type { Arithmetic } from '#src/base/contracts/arithmetic.ts';
import { badInput } from '#src/base/contracts/errors.ts';
import { whyNotFused } from '#workers/wasm/calls/fusedSupport.ts';
import { type ArithmeticProbes, realArithmetics } from '../shared/arithmeticProbes.ts';

/**
 * What the runs of this worker begin with: what is wanted, but fused multiply-adds only where this processor really fuses.
 * @param warn Told where it does not.
 * @throws WarrenError BAD_INPUT where they are wanted and the engine does not know them, or OpenBLAS and it does not open.
 */
export function workingArithmetic(
  wanted: Arithmetic,
  warn: (message: string) => void,
  probes: ArithmeticProbes = realArithmetics,
): Arithmetic {
  if (wanted === 'plain') return 'plain';
  if (wanted === 'openblas') {
    const support = probes.openblas();
    if ('reason' in support) throw badInput(`WARREN_OPENBLAS: ${support.reason}`, 'WARREN_OPENBLAS');
    return 'openblas';
  }
  const support = probes.fused();
  if (support === 'fused') return 'fused';
  const message = `WARREN_FUSED: ${whyNotFused(support)}`;
  if (support === 'engine') throw badInput(message, 'WARREN_FUSED');
  warn(message);
  return 'plain';
}
