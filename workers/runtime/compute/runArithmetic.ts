import type { Arithmetic, RunArithmetic } from '#src/contracts/arithmetic.ts';
import { WarrenError } from '#src/contracts/errors.ts';
import type { ExecutorTask } from '#src/contracts/executorMessages.ts';
import { type FusedSupport, fusedSupport, whyNotFused } from '#workers/wasm/calls/fusedSupport.ts';

export interface ChosenArithmetic {
  computes: Arithmetic;
  /** For the run's environment. */
  recorded: RunArithmetic;
  /** What the user is told; null where it is as was asked for. */
  message: { level: 'info' | 'warn'; text: string } | null;
}

/**
 * Whether an attempt computes with fused multiply-adds: as its checkpoint was computed, so that the run ends with the bits
 * that it would have had; without one as its worker was told.
 * @param supportOf Asked only where they are wanted.
 * @throws WarrenError UNAVAILABLE where a run that begins is to have them and this engine does not know them.
 */
export function chooseArithmetic(
  { arithmetic, checkpointArithmetic: begun }: Pick<ExecutorTask, 'arithmetic' | 'checkpointArithmetic'>,
  supportOf: () => FusedSupport = fusedSupport,
): ChosenArithmetic {
  const wanted = begun === undefined || begun === 'mixed' ? arithmetic : begun;
  if (wanted === 'plain') {
    const text = 'goes on without fused multiply-adds, as it began';
    const message = arithmetic === 'plain' ? null : { level: 'info' as const, text };
    return { computes: 'plain', recorded: begun ?? 'plain', message };
  }
  const support = supportOf();
  if (support === 'fused') {
    const text = 'goes on with fused multiply-adds, as it began';
    const message = arithmetic === 'fused' ? null : { level: 'info' as const, text };
    return { computes: 'fused', recorded: begun ?? 'fused', message };
  }
  const reason = whyNotFused(support);
  if (begun === undefined && support === 'engine') throw new WarrenError('UNAVAILABLE', `WARREN_FUSED: ${reason}`);
  const text =
    begun === undefined
      ? `WARREN_FUSED: ${reason}`
      : `it began with fused multiply-adds and goes on without, so its last bits are not those of a run in one go: ${reason}`;
  return { computes: 'plain', recorded: begun === undefined ? 'plain' : 'mixed', message: { level: 'warn', text } };
}
