import { normalBelow, normalQuantile } from '../normalQuantile.ts';
import { studentTwoSided } from '../studentDistribution.ts';
import { differencesTTest } from '../tTests.ts';
import type { DesignedLook, SequentialDesign } from './sequentialDesign.ts';
import { firstCrossings } from './sequentialNull.ts';

/** What was found at a look. */
export interface LookResult {
  pairs: number;
  /** Mean of the differences. */
  difference: number;
  t: number;
  /** The least |t| that decides here. */
  boundary: number;
  /** The repeated confidence interval, which holds at all looks together: Jennison, Turnbull 1989, JRSS B 51, 305. */
  low: number;
  high: number;
  /** The chance to decide by the last look, were the difference as large as the design is made for. */
  chance: number;
  /** `unvarying`: all differences are equal, so that there is nothing to test. */
  verdict: 'decided' | 'futile' | 'undecided' | 'unvarying';
}

const SMALLEST_SPREAD = 1e-12;

/**
 * Judges the differences that are there at a look: decided where |t| has reached its boundary, futile where the design's own
 * effect would hardly be found any more. Futility binds nobody: going on all the same makes no more errors.
 * @param differences One a pair, as many as the look has pairs.
 */
export function judgeLook(design: SequentialDesign, look: DesignedLook, differences: readonly number[]): LookResult {
  const { pairs, boundary } = look;
  const { difference, standardError, t } = differencesTTest(differences);
  const half = boundary * standardError;
  const common = { pairs, difference, t, boundary, low: difference - half, high: difference + half };
  if (!(standardError > SMALLEST_SPREAD * Math.abs(difference))) return { ...common, chance: 0, verdict: 'unvarying' };
  if (Math.abs(t) >= boundary) return { ...common, chance: 1, verdict: 'decided' };
  const isLast = pairs === design.atMost;
  const chance = isLast ? 0 : conditionalPower(design, { pairs, t });
  const verdict = !isLast && chance < futileBelow(design) ? 'futile' : 'undecided';
  return { ...common, chance, verdict };
}

/** Half of the chance that the design allows to miss its effect: stopping at it costs little of the power. */
export function futileBelow({ power }: Pick<SequentialDesign, 'power'>): number {
  return (1 - power) / 2;
}

/**
 * The chance to reach the last boundary given t after so many pairs, were the difference as large as the design is made for, on
 * the side where it is found. By Brownian motion, t taken to the normal quantile of its tail: Lan, Wittes 1988, Biometrics 44, 579.
 */
function conditionalPower(design: SequentialDesign, { pairs, t }: { pairs: number; t: number }): number {
  const { atMost, power, looks } = design;
  const end = normalScore(looks.at(-1)?.boundary ?? Number.NaN, atMost - 1);
  const drift = end + normalQuantile(power);
  const fraction = pairs / atMost;
  const now = normalScore(Math.abs(t), pairs - 1) * Math.sqrt(fraction);
  return normalBelow((now + drift * (1 - fraction) - end) / Math.sqrt(1 - fraction));
}

/** The z with the two-sided tail that a t >= 0 has. */
function normalScore(t: number, df: number): number {
  return normalQuantile(1 - studentTwoSided(t, df) / 2);
}

/**
 * The two-sided p of a test that has ended: the chance, without a difference, of an end as early and as clear. At most alpha
 * just where it was decided. By the stages' order: Fairbanks, Madsen 1982, Biometrika 69, 69.
 * @param t What was found at the last of the looks that were made.
 */
export function sequentialP(looks: readonly DesignedLook[], t: number): number {
  const before = looks.slice(0, -1);
  const { pairs } = looks.at(-1)!;
  const crossings = firstCrossings([...before, { pairs, boundary: Math.abs(t) }]);
  return Math.min(
    1,
    crossings.reduce((sum, chance) => sum + chance, 0),
  );
}
