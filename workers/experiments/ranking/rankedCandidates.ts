import type { Candidates } from '#workers/evaluation/ranking/heldOut.ts';

/** Which items are ranked and up to where hits count: parameters that all ranking kinds share. */
export interface RankedCandidates extends Candidates {
  cutoffs: readonly number[];
}
