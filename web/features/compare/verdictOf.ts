/** Chance of a false verdict. */
const LEVEL = 0.05;

export type Verdict = 'better' | 'worse' | 'different' | 'open';

export interface Tested {
  difference: number;
  /** Two-sided, corrected where there are several tests. */
  p: number;
  direction: 'higher' | 'lower' | null;
}

/** What a test shows at the level 0.05; `different` where nobody knows which way is better. */
export function verdictOf({ difference, p, direction }: Tested): Verdict {
  if (!(p < LEVEL)) return 'open';
  if (direction === null) return 'different';
  return difference > 0 === (direction === 'higher') ? 'better' : 'worse';
}
