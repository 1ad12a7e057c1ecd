import { type FusedSupport, fusedSupport } from '#workers/wasm/calls/fusedSupport.ts';
import { type OpenblasSupport, openblasSupport } from '#workers/wasm/calls/openblasSupport.ts';

/** Asked only for what is wanted. */
export interface ArithmeticProbes {
  fused: () => FusedSupport;
  openblas: () => OpenblasSupport;
}

/** What this process and its processor have. */
export const realArithmetics: ArithmeticProbes = { fused: fusedSupport, openblas: openblasSupport };
