import { tTestPower, valuesForPower } from '../power.ts';
import { studentTwoSided } from '../studentDistribution.ts';
import { type SpendingName, spentAlpha } from './alphaSpending.ts';
import { boundariesSpending } from './sequentialNull.ts';

/** What a user asks of a sequential paired test. */
export interface SequentialRequest {
  /** Chance of a difference where there is none, over all looks together. */
  alpha: number;
  /** Chance to find the difference that the design is made for. */
  power: number;
  /** Pairs at most, `LEAST_PAIRS` to `MOST_PAIRS`. */
  atMost: number;
  /** Pairs between looks; 1 looks after each. */
  every: number;
  spending: SpendingName;
}

export interface DesignedLook {
  pairs: number;
  /** Of alpha, up to and with this look. */
  spent: number;
  /** The least |t| that decides. */
  boundary: number;
}

/** A sequential test with its looks, the last at `atMost` pairs. */
export interface SequentialDesign extends SequentialRequest {
  looks: DesignedLook[];
  /** The difference that is found with the chance `power`, in standard deviations of one pair's difference. */
  effect: number;
  /** Pairs that one test at the end needs for the same effect, alpha and power. */
  fixedPairs: number;
}

export const LEAST_PAIRS = 3;
export const MOST_PAIRS = 50;
/** No look is worth having while less than this part of alpha may be spent: only absurd values of t would decide. */
const WORTH_A_LOOK = 1e-3;
const LARGEST_EFFECT = 1e4;

/**
 * The looks of a test with their boundaries, which hold the chance of error exactly where differences are normal, however few.
 * The effect is the one that the last boundary alone finds with the power asked for; the looks before it add a little.
 */
export function sequentialDesign(request: SequentialRequest): SequentialDesign {
  const { alpha, power, atMost, every, spending } = request;
  const planned: { pairs: number; spent: number }[] = [];
  for (let pairs = LEAST_PAIRS; pairs <= atMost; pairs++) {
    const spent = spentAlpha(spending, { alpha, fraction: pairs / atMost });
    if ((atMost - pairs) % every === 0 && spent >= WORTH_A_LOOK * alpha) planned.push({ pairs, spent });
  }
  const boundaries = boundariesSpending(planned);
  const looks = planned.map((look, index) => ({ ...look, boundary: boundaries[index]! }));
  const last = boundaries.at(-1) ?? Number.NaN;
  const effect = effectFound({ pairs: atMost, boundary: last, power });
  const fixedPairs = valuesForPower({ size: effect, dfFactor: 1 }, { power, level: alpha }) ?? atMost;
  return { ...request, looks, effect, fixedPairs };
}

/** The effect with which |t| of so many pairs reaches a boundary with the chance `power`, by halving. */
function effectFound({ pairs, boundary, power }: { pairs: number; boundary: number; power: number }): number {
  const df = pairs - 1;
  const level = studentTwoSided(boundary, df);
  let [low, high] = [0, LARGEST_EFFECT];
  for (let halving = 0; halving < 60; halving++) {
    const middle = (low + high) / 2;
    if (tTestPower({ noncentrality: middle * Math.sqrt(pairs), df, level }) < power) low = middle;
    else high = middle;
  }
  return high;
}
