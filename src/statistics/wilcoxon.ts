import { normalAbove } from './normalDistribution.ts';
import { ranksOf } from './ranks.ts';

/** Up to so many pairs the exact distribution takes well under a second; beyond, the normal one is as good. */
const MOST_EXACT = 500;

export interface WilcoxonTest {
  /** The smaller of the rank sums of positive and of negative differences. */
  w: number;
  /** Two-sided. */
  p: number;
  /** One-sided, for differences above 0. */
  pAbove: number;
  /** One-sided, for differences below 0. */
  pBelow: number;
  /** Differences other than 0: the others say nothing and are left out. */
  n: number;
  /** Whether p comes from the exact distribution. */
  exact: boolean;
}

/**
 * Wilcoxon's signed-rank test of the differences of pairs; those that are 0 are left out, equal ones share the mean of their
 * ranks. `exact`, the default for up to 500 of them: every sign of every rank as it is, ties included, is as likely as the
 * other. `normal`: the rank sum's normal approximation with its variance corrected for ties, without one for continuity.
 * @throws RangeError for NaN, where all differences are 0, and for `exact` with more than 500.
 */
export function wilcoxonTest(
  differences: readonly number[],
  method: 'exact' | 'normal' | 'by size' = 'by size',
): WilcoxonTest {
  const kept = differences.filter((difference) => difference !== 0);
  const n = kept.length;
  if (n === 0) throw new RangeError('the signed-rank test needs a pair that differs, received none');
  if (kept.some(Number.isNaN)) throw new RangeError('the signed-rank test takes numbers, received NaN');
  const exact = method === 'exact' || (method === 'by size' && n <= MOST_EXACT);
  if (exact && n > MOST_EXACT) {
    throw new RangeError(`the exact test takes up to ${MOST_EXACT} pairs that differ, received ${n}`);
  }
  // Doubled, mean ranks are whole numbers.
  const ranks = ranksOf(kept.map((difference) => Math.abs(difference))).map((rank) => 2 * rank);
  const total = n * (n + 1);
  const positive = ranks.reduce((sum, rank, pair) => sum + (kept[pair]! > 0 ? rank : 0), 0);
  const smaller = Math.min(positive, total - positive);
  const below = exact ? exactBelow(ranks, smaller) : normalBelow(ranks, smaller);
  // The distribution is symmetric: as much lies from the greater sum upwards as up to the smaller.
  const [towards, away] = [below.upTo, 1 - below.under];
  const [pAbove, pBelow] = positive > smaller ? [towards, away] : [away, towards];
  return { w: smaller / 2, p: Math.min(1, 2 * below.upTo), pAbove, pBelow, n, exact };
}

/** Probabilities of a rank sum up to a value, that included, and under it. */
interface Below {
  upTo: number;
  under: number;
}

/** By counting the choices of doubled ranks with each sum. */
function exactBelow(ranks: readonly number[], limit: number): Below {
  const probabilities = new Float64Array(limit + 1);
  probabilities[0] = 1;
  let greatest = 0;
  for (const rank of ranks) {
    greatest = Math.min(limit, greatest + rank);
    for (let sum = greatest; sum >= rank; sum--) {
      probabilities[sum] = (probabilities[sum]! + probabilities[sum - rank]!) / 2;
    }
    for (let sum = Math.min(rank - 1, greatest); sum >= 0; sum--) probabilities[sum]! /= 2;
  }
  let under = 0;
  for (let sum = 0; sum < limit; sum++) under += probabilities[sum]!;
  return { upTo: under + probabilities[limit]!, under };
}

function normalBelow(ranks: readonly number[], limit: number): Below {
  const n = ranks.length;
  // A sum of independent signs: the variance is that of the ranks as they are, which corrects for ties by itself.
  const deviation = Math.sqrt(ranks.reduce((sum, rank) => sum + rank * rank, 0) / 4);
  const upTo = normalAbove(((n * (n + 1)) / 2 - limit) / deviation);
  return { upTo, under: upTo };
}
