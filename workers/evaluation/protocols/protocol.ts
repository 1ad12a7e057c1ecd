import type { OrderedSplit } from '#workers/data/split/orderedSplit.ts';
import type { HeldOut } from '../ranking/heldOut.ts';
import type { RankedUsers } from '../ranking/rankedUsers.ts';
import type { Scorer } from '../ranking/scorer.ts';

/** What of a reporter an evaluation needs. */
export interface EvaluationReporter {
  metric(name: string, step: number, value: number): void;
  log(level: 'info' | 'warn', text: string): void;
  artifact(name: string, bytes: Uint8Array, mediaType: string): void;
  timing(phase: string, seconds: number): void;
  note(name: string, value: unknown): void;
}

export interface Validation {
  /** By name after `valid/`. */
  metrics: Readonly<Record<string, number>>;
  /** By which epochs are compared: more is better. */
  score: number;
}

/** The ranking that the metrics of one cut-off are made from; most kinds have one for all cut-offs. */
export interface CutoffRanking {
  cutoff: number;
  ranked: RankedUsers;
}

/** The two parts of a split that are held out. */
export interface HeldOutParts {
  readonly split: OrderedSplit;
  readonly validationPart: HeldOut;
  readonly testPart: HeldOut;
}

/** How a dataset is split, and what is ranked for whom: the same for every recommender. */
export interface Protocol extends HeldOutParts {
  readonly cutoffs: readonly number[];
  /** Metrics of the validation part, for the cut-offs and for 10; epochs are compared by NDCG@10. */
  validate(scorer: Scorer): Promise<Validation>;
  /** Ranks for the test part and reports `test/…` at `step`. */
  test(scorer: Scorer, step: number): Promise<void>;
  /** Reports what rankings of a part tell, as `test/…` or `valid/…` at `step`. */
  report(part: 'valid' | 'test', rankings: readonly CutoffRanking[], step: number): void;
}
