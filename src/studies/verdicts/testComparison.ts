import type { StudyComparison } from '#src/catalog/studies/study.ts';
import { invariant } from '#src/base/lib/invariant.ts';
import { type DifferenceTest, pairedDifferenceTest } from '#src/statistics/differenceTest.ts';
import { testWords } from '#src/statistics/testWords.ts';
import { LEAST_SEEDS, type TestedOf, testedOf } from '#src/statistics/verdict.ts';
import { parseUserMetricName } from '#src/statistics/userMetricName.ts';
import { summarizeReplicates } from '#src/statistics/replicates.ts';
import type { ArmRuns, StudyRun } from './armRuns.ts';
import { type Measured, measureValue } from './measureValue.ts';

/** A comparison over users, and over seeds where both sides have enough, as far as somebody has made it. */
export interface UserTest {
  test: DifferenceTest | null;
  /** Users. */
  n: number;
  seeds: readonly number[];
  baselineSeeds: readonly number[];
  about: TestedOf;
  /** Why the runs do not compare, as Compare says it; null where nothing speaks against it. */
  notComparable: string | null;
  /** Why there is none. */
  reason: string | null;
}

/** The test over users of some runs against others in a metric; null where it was not made. */
export type UserTestOf = (above: readonly StudyRun[], below: readonly StudyRun[], metric: string) => UserTest | null;

/** What came of testing a comparison. */
export interface TestedComparison {
  /** Above less below. */
  difference: number | null;
  low: number | null;
  high: number | null;
  /** Two-sided. */
  p: number | null;
  /** What was tested over: `paired t-test, 5 seeds`. */
  test: string;
  /** Why there is no test, or why what is there decides nothing; empty where all is well. */
  reason: string;
  /** Whether it may decide a claim: not where it speaks of these trained models alone, or where the runs do not compare. */
  decides: boolean;
  /** Degrees of freedom of a t-test. */
  df: number | null;
  /** Mean of what is below. */
  belowMean: number | null;
  /** It never can be tested, for that reason. */
  forever: boolean;
  shortened: boolean;
  runs: readonly StudyRun[];
}

/** Pairs from which on the signed-rank test can reject at all: with five, its least p is 0.0625. */
const LEAST_RANKED = 6;

/** The arms of both sides in their pairs. */
export function pairsOf({ above, below }: Pick<StudyComparison, 'above' | 'below'>): [above: string, below: string][] {
  const [first, second] = [above, below].map((side) => (typeof side === 'string' ? [side] : side));
  invariant(first !== undefined && second !== undefined, 'a comparison has two sides');
  return first.map((arm, index) => [arm, second[index] ?? '']);
}

/**
 * Whether the metric of one side is greater: over pairs of arms where there are several (Wilcoxon's signed-rank test, as Demšar
 * 2006 advises for methods over data sets; a paired t-test for fewer than six); else over users and seeds where it is a mean over users,
 * and over the seeds that both have (paired t-test) where it is none. With fewer than three seeds of a trained method the
 * test is about these models, and decides no claim.
 */
export function testComparison(
  comparison: StudyComparison,
  arms: ReadonlyMap<string, ArmRuns>,
  userTest: UserTestOf,
): TestedComparison {
  const { metric, belowMetric = metric } = comparison;
  const pairs: [Measured, Measured][] = [];
  for (const [above, below] of pairsOf(comparison)) {
    const sides = [measureValue({ arm: above, metric }, arms), measureValue({ arm: below, metric: belowMetric }, arms)];
    const [a, b] = sides;
    invariant(a !== undefined && b !== undefined, 'a comparison has two sides');
    if ('missing' in a) return untested(a.missing, a.forever);
    if ('missing' in b) return untested(b.missing, b.forever);
    pairs.push([a, b]);
  }
  const shared = {
    shortened: pairs.some(([a, b]) => a.shortened || b.shortened),
    runs: [...new Set(pairs.flatMap(([a, b]) => [...a.runs, ...b.runs]))],
  };
  const [only] = pairs;
  invariant(only !== undefined, 'a comparison has a pair of arms');
  const tested = pairs.length > 1 ? overArms(pairs) : overSeeds(only, { metric, belowMetric, userTest });
  const belowMean = pairs.length > 1 ? null : meanOf(only[1]);
  return { ...tested, belowMean, forever: false, ...shared };
}

type Outcome = Omit<TestedComparison, 'forever' | 'shortened' | 'runs' | 'belowMean'>;

function overArms(pairs: readonly [Measured, Measured][]): Outcome {
  const differences = pairs.map(([a, b]) => meanOf(a) - meanOf(b));
  const { mean } = summarizeReplicates(differences);
  const test = pairedDifferenceTest(differences, 'higher');
  if (test === null) return notTested(mean, 'every pair gives the same difference');
  const ranked = differences.length >= LEAST_RANKED ? test.wilcoxon : null;
  const over = `${differences.length} pairs of arms`;
  if (ranked === null) return told(test, `paired t-test, ${over}`);
  if (ranked.pBetter !== null && ranked.pBetter < 0.5 !== mean > 0) {
    return notTested(mean, 'mean and ranks of the differences point to different sides');
  }
  return { ...told(test, `signed-rank test, ${over}`), p: ranked.p };
}

function overSeeds(
  [a, b]: [Measured, Measured],
  { metric, belowMetric, userTest }: { metric: string; belowMetric: string; userTest: UserTestOf },
): Outcome {
  const seeds = sharedSeeds(a, b);
  const at = (measured: Measured, seed: number) =>
    measured.deterministic ? meanOf(measured) : (measured.bySeed.get(seed) ?? Number.NaN);
  const differences = seeds.map((seed) => at(a, seed) - at(b, seed));
  const difference = differences.length > 0 ? summarizeReplicates(differences).mean : meanOf(a) - meanOf(b);
  const isOverUsers = metric === belowMetric && parseUserMetricName(metric) !== null;
  const users = isOverUsers ? userTest(a.runs, b.runs, metric) : null;
  if (users?.test != null) {
    const { test, about, notComparable } = users;
    const reason =
      about === 'models' ? fewSeeds(a, b) : notComparable === null ? '' : `not comparable, because ${notComparable}`;
    return { ...told(test, testWords(test.method, users, { perUser: true })), decides: reason === '', reason };
  }
  if (seeds.length >= 2) {
    const test = pairedDifferenceTest(differences, 'higher');
    const about = testedOf([{ seeds: seeds.length, deterministic: false }]);
    if (test !== null) {
      const words = testWords('paired', { n: seeds.length, seeds, baselineSeeds: seeds });
      if (about === 'models') return { ...told(test, words), decides: false, reason: fewSeeds(a, b) };
      if (!isOverUsers) return told(test, words);
      const why = `the seeds differ, but for other users nothing is known: ${users?.reason ?? 'no test over users was made'}`;
      return { ...told(test, `${words}, for these users alone`), decides: false, reason: why };
    }
  }
  const why = users?.reason ?? (seeds.length >= 2 ? 'every seed gives the same difference' : fewSeeds(a, b));
  return notTested(difference, seeds.length === 0 ? 'the two have no seed in common' : why);
}

/** In words, how many seeds there are of a method that draws at random, and how many a claim needs. */
function fewSeeds(...sides: Measured[]): string {
  const counts = sides.flatMap(({ deterministic, bySeed }) => (deterministic ? [] : [bySeed.size]));
  const have =
    counts.length === 0
      ? 'one value each'
      : `${counts.join(' and ')} ${counts.every((n) => n === 1) ? 'seed' : 'seeds'}`;
  return `these two trained models alone: ${have}, where a claim about methods needs ${LEAST_SEEDS} of each`;
}

/** Seeds over which two are compared; a side without randomness has every seed. */
function sharedSeeds(a: Measured, b: Measured): number[] {
  if (a.deterministic) return [...b.bySeed.keys()];
  if (b.deterministic) return [...a.bySeed.keys()];
  return [...a.bySeed.keys()].filter((seed) => b.bySeed.has(seed));
}

function meanOf({ bySeed }: Measured): number {
  return summarizeReplicates([...bySeed.values()]).mean;
}

function told({ difference, low, high, p, df }: DifferenceTest, test: string): Outcome {
  return { difference, low, high, p, df, test, decides: true, reason: '' };
}

function notTested(difference: number, reason: string): Outcome {
  return { difference, low: null, high: null, p: null, df: null, test: '', decides: true, reason };
}

function untested(reason: string, forever: boolean): TestedComparison {
  const nothing = {
    difference: null,
    low: null,
    high: null,
    p: null,
    df: null,
    belowMean: null,
    test: '',
    decides: true,
  };
  return { ...nothing, reason, forever, shortened: false, runs: [] };
}
