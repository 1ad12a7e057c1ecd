/** Chance of a false verdict. */
export const VERDICT_LEVEL = 0.05;

/** Seeds of each trained method from which on a test is about the methods: fewer tell too little of how far seeds differ. */
export const LEAST_SEEDS = 3;

/**
 * What a test speaks of: `methods`, whose other seeds are counted in, or which draw nothing at random; `models`: these very
 * ones, where a method has too few seeds.
 */
export const TESTED = ['methods', 'models'] as const;
export type TestedOf = (typeof TESTED)[number];

export const VERDICTS = ['better', 'worse', 'different', 'modelsDiffer', 'undecided'] as const;
export type Verdict = (typeof VERDICTS)[number];

export interface Tested {
  difference: number;
  /** Two-sided, corrected where there are several tests. */
  p: number;
  direction: 'higher' | 'lower' | null;
  about: TestedOf;
}

/** What a test shows at the level 0.05; `different` where nobody knows which way is better. */
export function verdictOf({ difference, p, direction, about }: Tested): Verdict {
  if (!(p < VERDICT_LEVEL)) return 'undecided';
  if (about === 'models') return 'modelsDiffer';
  if (direction === null) return 'different';
  return difference > 0 === (direction === 'higher') ? 'better' : 'worse';
}

/** One side of a comparison. */
export interface TestedSide {
  /** How many seeds it has. */
  seeds: number;
  /** Its method draws nothing at random: one run says everything. */
  deterministic: boolean;
}

/** What a test of two sides can be about: methods, where each trained one has seeds enough. */
export function testedOf(sides: readonly TestedSide[]): TestedOf {
  return sides.every(({ seeds, deterministic }) => deterministic || seeds >= LEAST_SEEDS) ? 'methods' : 'models';
}
