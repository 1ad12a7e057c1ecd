/** Chance of a false verdict. */
export const VERDICT_LEVEL = 0.05;

export const VERDICTS = ['better', 'worse', 'different', 'undecided'] as const;
export type Verdict = (typeof VERDICTS)[number];

export interface Tested {
  difference: number;
  /** Two-sided, corrected where there are several tests. */
  p: number;
  direction: 'higher' | 'lower' | null;
}

/** What a test shows at the level 0.05; `different` where nobody knows which way is better. */
export function verdictOf({ difference, p, direction }: Tested): Verdict {
  if (!(p < VERDICT_LEVEL)) return 'undecided';
  if (direction === null) return 'different';
  return difference > 0 === (direction === 'higher') ? 'better' : 'worse';
}
