import { type DifferenceTest, type Direction, toldTest } from './differenceTest.ts';
import { summarizeReplicates } from './replicates.ts';
import { studentTwoSided } from './studentDistribution.ts';
import { studentQuantile } from './studentQuantile.ts';

const LEVEL = 0.95;
const HALVINGS = 40;

/** What a test needs of one method's values of users by seeds. */
export interface CrossedSide {
  /** (seeds) Mean over the users. One alone: the seed changes nothing, or its part is not known. */
  seeds: readonly number[];
  /** (users) Mean over the seeds. */
  users: Float64Array;
  /** Sum of the squares of all values. */
  squares: number;
}

/** Takes the users' values of a side one seed after the other, so that no more than one need be kept. */
export function crossedSums(): { add(row: Float64Array): boolean; side(): CrossedSide } {
  const seeds: number[] = [];
  let users = new Float64Array(0);
  let squares = 0;
  return {
    /** False, and nothing is added, where there are not as many users as before. */
    add(row) {
      if (seeds.length === 0) users = new Float64Array(row.length);
      if (row.length !== users.length) return false;
      let sum = 0;
      for (let user = 0; user < row.length; user++) {
        const value = row[user]!;
        users[user]! += value;
        sum += value;
        squares += value * value;
      }
      seeds.push(sum / row.length);
      return true;
    },
    side: () => ({ seeds, users: users.map((sum) => sum / seeds.length), squares }),
  };
}

/** A side from (seeds)(users) values. */
export function crossedSide(rows: readonly Float64Array[]): CrossedSide {
  const sums = crossedSums();
  for (const row of rows) sums.add(row);
  return sums.side();
}

/**
 * Whether two methods differ, for other seeds and other users at once: a mixed model in which seeds are nested in methods and
 * users are crossed with both. Var(a - b) is the variance of the seeds' means over their number, of each side, and what the methods do
 * otherwise with each user. With balanced values that is what restricted maximum likelihood gives. It is how readers and cases
 * are tested where each method has readers of its own: Hillis 2007, Statistics in Medicine 26, 596. A side of one seed is a method without
 * randomness: its seeds add nothing.
 * @throws RangeError where the sides have other numbers of users, or fewer than two.
 * @returns null where nothing varies.
 */
export function crossedTest(a: CrossedSide, b: CrossedSide, direction: Direction): DifferenceTest | null {
  const count = a.users.length;
  if (count < 2 || count !== b.users.length) {
    throw new RangeError(`both sides need the same users, at least two: received ${count} and ${b.users.length}`);
  }
  const sides = [partsOf(a), partsOf(b)];
  const differences = Array.from(a.users, (value, user) => value - b.users[user]!);
  const { mean: difference, standardDeviation } = summarizeReplicates(differences);
  const ofDifferences = (standardDeviation ?? 0) ** 2 / count;
  const ofUsers = Math.max(0, ofDifferences - sides.reduce((sum, { ofBoth }) => sum + ofBoth, 0));
  const variance = sides.reduce((sum, { ofSeeds }) => sum + ofSeeds, ofUsers);
  const df = degreesOfFreedom(sides, { ofUsers, users: count });
  return toldTest({ method: 'crossed', difference, standardError: Math.sqrt(variance), df }, direction);
}

/** What one side adds to the error of a difference of means. */
interface SideParts {
  /** Variance of the mean over the seeds: their spread for these very users. */
  ofSeeds: number;
  /** Of it, what seeds and users do together, which the spread of the users holds as well. */
  ofBoth: number;
  /** Degrees of freedom of `ofSeeds`; 0 for a method without randomness. */
  df: number;
}

function partsOf({ seeds, users, squares }: CrossedSide): SideParts {
  const [n, count] = [seeds.length, users.length];
  const { mean, standardDeviation } = summarizeReplicates(seeds);
  if (n === 1) return { ofSeeds: 0, ofBoth: 0, df: 0 };
  const sumOfSquares = (values: ArrayLike<number>) => {
    let sum = 0;
    for (let at = 0; at < values.length; at++) sum += (values[at]! - mean) ** 2;
    return sum;
  };
  const left = squares - n * count * mean ** 2 - count * sumOfSquares(seeds) - n * sumOfSquares(users);
  const residual = Math.max(0, left) / ((n - 1) * (count - 1));
  return { ofSeeds: (standardDeviation ?? 0) ** 2 / n, ofBoth: residual / (n * count), df: n - 1 };
}

/**
 * Of the whole variance: Welch's for the seeds of both sides; with those of the users as Cochran and Cox (1957, Experimental Designs, section
 * 4.14) join two, by the mean of their critical values, weighted by the variances. Satterthwaite's, which others use here, calls 7 %
 * of differences false with three seeds of one side.
 */
function degreesOfFreedom(sides: readonly SideParts[], { ofUsers, users }: { ofUsers: number; users: number }): number {
  const ofSeeds = sides.reduce((sum, side) => sum + side.ofSeeds, 0);
  const spread = sides.reduce((sum, side) => sum + (side.df === 0 ? 0 : side.ofSeeds ** 2 / side.df), 0);
  if (spread === 0) return users - 1;
  const [few, many] = [ofSeeds ** 2 / spread, users - 1];
  const critical =
    (ofSeeds * studentQuantile(LEVEL, few) + ofUsers * studentQuantile(LEVEL, many)) / (ofSeeds + ofUsers);
  let [low, high] = [Math.min(few, many), Math.max(few, many)];
  for (let halving = 0; halving < HALVINGS; halving++) {
    const middle = Math.sqrt(low * high);
    if (studentTwoSided(critical, middle) > 1 - LEVEL) low = middle;
    else high = middle;
  }
  return low;
}
