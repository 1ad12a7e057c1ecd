import type { Arithmetic, RunArithmetic } from '#src/base/contracts/arithmetic.ts';
import { WarrenError } from '#src/base/contracts/errors.ts';
import type { ExecutorTask } from '#src/base/contracts/executorMessages.ts';
import { whyNotFused } from '#workers/wasm/calls/fusedSupport.ts';
import { type ArithmeticProbes, realArithmetics } from '../shared/arithmeticProbes.ts';

export interface ChosenArithmetic {
  computes: Arithmetic;
  /** For the run's environment. */
  recorded: RunArithmetic;
  /** What the user is told; null where it is as was asked for. */
  message: { level: 'info' | 'warn'; text: string } | null;
}

/** Each as a run is said to compute. */
const WITH: Readonly<Record<Arithmetic, string>> = {
  plain: 'without fused multiply-adds and OpenBLAS',
  fused: 'with fused multiply-adds',
  openblas: 'with OpenBLAS',
};
const VARIABLES = { fused: 'WARREN_FUSED', openblas: 'WARREN_OPENBLAS' } as const;

/**
 * How an attempt rounds: as its checkpoint was computed, so that the run ends with the bits that it would have had; without
 * one as its worker was told.
 * @param probes Asked only for what is wanted.
 * @throws WarrenError UNAVAILABLE where a run that begins is to have fused multiply-adds and this engine does not know them, or
 *   OpenBLAS and it does not open.
 */
export function chooseArithmetic(
  { arithmetic, checkpointArithmetic: begun }: Pick<ExecutorTask, 'arithmetic' | 'checkpointArithmetic'>,
  probes: ArithmeticProbes = realArithmetics,
): ChosenArithmetic {
  const wanted = begun === undefined || begun === 'mixed' ? arithmetic : begun;
  const lacking = wanted === 'plain' ? null : whatLacks(wanted, probes);
  if (lacking === null) {
    const text = `goes on ${WITH[wanted]}, as it began`;
    const message = arithmetic === wanted ? null : { level: 'info' as const, text };
    return { computes: wanted, recorded: begun ?? wanted, message };
  }
  const { variable, reason, isFatal } = lacking;
  if (begun === undefined && isFatal) throw new WarrenError('UNAVAILABLE', `${variable}: ${reason}`);
  const text =
    begun === undefined
      ? `${variable}: ${reason}`
      : `it began ${WITH[wanted]} and goes on without, so its last bits are not those of a run in one go: ${reason}`;
  return { computes: 'plain', recorded: begun === undefined ? 'plain' : 'mixed', message: { level: 'warn', text } };
}

/** Why it cannot be had, and whether a run that was to begin with it does not begin; null where it can. */
function whatLacks(
  wanted: Exclude<Arithmetic, 'plain'>,
  probes: ArithmeticProbes,
): { variable: string; reason: string; isFatal: boolean } | null {
  const variable = VARIABLES[wanted];
  if (wanted === 'openblas') {
    const support = probes.openblas();
    return 'reason' in support ? { variable, reason: support.reason, isFatal: true } : null;
  }
  const support = probes.fused();
  return support === 'fused' ? null : { variable, reason: whyNotFused(support), isFatal: support === 'engine' };
}
