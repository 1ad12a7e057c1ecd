import { ranksOf } from './ranks.ts';

/** Beyond this the exact distribution takes seconds, and the normal one is as good. */
const MAXIMUM_PAIRS = 500;

export interface WilcoxonTest {
  /** The smaller of the rank sums of positive and of negative differences. */
  w: number;
  /** Two-sided. */
  p: number;
  /** Pairs that differ: the others say nothing and are left out. */
  n: number;
}

/**
 * Wilcoxon's signed-rank test of pairs, from the exact distribution: every sign of every rank is as likely as the other.
 * Equal differences share the mean of their ranks, and the distribution is that of the ranks as they are.
 * @throws RangeError for different numbers of values, no pair that differs, or more than 500 of them.
 */
export function wilcoxonExact(a: readonly number[], b: readonly number[]): WilcoxonTest {
  if (a.length !== b.length)
    throw new RangeError(`pairs need as many of a as of b, received ${a.length} and ${b.length}`);
  const differences = a.map((value, pair) => value - b[pair]!).filter((difference) => difference !== 0);
  const n = differences.length;
  if (n === 0 || n > MAXIMUM_PAIRS || differences.some(Number.isNaN)) {
    throw new RangeError(`the exact test takes 1 to ${MAXIMUM_PAIRS} pairs that differ, received ${n}`);
  }
  // Doubled, mean ranks are whole numbers.
  const ranks = ranksOf(
    differences.map((difference) => Math.abs(difference)),
    'mean',
  ).map((rank) => 2 * rank);
  const total = n * (n + 1);
  const positive = ranks.reduce((sum, rank, pair) => sum + (differences[pair]! > 0 ? rank : 0), 0);
  const smaller = Math.min(positive, total - positive);
  let probabilities = new Float64Array(total + 1);
  probabilities[0] = 1;
  for (const rank of ranks) {
    const next = new Float64Array(total + 1);
    for (let sum = 0; sum <= total; sum++) {
      next[sum] = (probabilities[sum]! + (sum >= rank ? probabilities[sum - rank]! : 0)) / 2;
    }
    probabilities = next;
  }
  let below = 0;
  for (let sum = 0; sum <= smaller; sum++) below += probabilities[sum]!;
  return { w: smaller / 2, p: Math.min(1, 2 * below), n };
}
