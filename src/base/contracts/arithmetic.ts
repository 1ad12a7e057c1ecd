import { z } from 'zod';

/**
 * How the compiled kernels round a product that is added to a sum: `plain` twice, `fused` once, by fused multiply-adds
 * (WARREN_FUSED=on); with `openblas` that library multiplies single-precision matrices and inverts others
 * (WARREN_OPENBLAS), and the rest is plain. They differ in the last bits of nearly every number.
 */
export const ARITHMETICS = ['plain', 'fused', 'openblas'] as const;
export type Arithmetic = (typeof ARITHMETICS)[number];

/** That of a run; `mixed` where it went on from a checkpoint with another one. */
export const runArithmeticSchema = z.enum([...ARITHMETICS, 'mixed']);
export type RunArithmetic = z.output<typeof runArithmeticSchema>;

/** What a run's environment or a worker's details say; those of before there was a choice say nothing, and were plain. */
export function arithmeticOf(facts: Readonly<Record<string, unknown>>): RunArithmetic {
  return runArithmeticSchema.safeParse(facts.arithmetic).data ?? 'plain';
}

const WORDS: Readonly<Record<RunArithmetic, string>> = {
  plain: '',
  fused: ', fused multiply-adds',
  openblas: ', products by OpenBLAS',
  mixed: ', of mixed arithmetic',
};

/** For a device: what is to be told beside its name; empty for what is usual. */
export function arithmeticWords(arithmetic: RunArithmetic): string {
  return WORDS[arithmetic];
}
