import type { StudyComparison } from '#src/catalog/studies/study.ts';
import { invariant } from '#src/lib/invariant.ts';
import { type DifferenceTest, pairedDifferenceTest } from '#src/statistics/differenceTest.ts';
import { summarizeReplicates } from '#src/statistics/replicates.ts';
import type { ArmRuns, StudyRun } from './armRuns.ts';
import { type Measured, measureValue } from './measureValue.ts';

/** A comparison over users, each with the mean of a side's runs, as far as somebody has made it. */
export interface UserTest {
  test: DifferenceTest | null;
  /** Users. */
  n: number;
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
  /** Why there is no test; empty where there is one. */
  reason: string;
  /** It never can be tested, for that reason. */
  forever: boolean;
  shortened: boolean;
  runs: readonly StudyRun[];
}

/** Seeds from which on a test is over seeds: over two it has one degree of freedom, and hardly anything is below 0.05. */
const LEAST_SEEDS = 3;
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
 * 2006 advises for methods over data sets; a paired t-test for fewer than six); else over the seeds that both have (paired
 * t-test), and where these are fewer than three, over the users of their runs.
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
  return { ...tested, forever: false, ...shared };
}

type Outcome = Omit<TestedComparison, 'forever' | 'shortened' | 'runs'>;

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
  const few = metric === belowMetric ? runsOfFewSeeds(a, b) : null;
  const users = few === null ? null : userTest(few.above, few.below, metric);
  if (users?.test != null) {
    const means = seeds.length > 1 ? `, means of ${seeds.length} seeds` : '';
    return told(users.test, `paired t-test over ${users.n.toLocaleString('en')} users${means}`);
  }
  if (seeds.length >= 2) {
    const test = pairedDifferenceTest(differences, 'higher');
    if (test !== null) return told(test, `paired t-test, ${seeds.length} seeds`);
  }
  const difference = differences.length > 0 ? summarizeReplicates(differences).mean : meanOf(a) - meanOf(b);
  const why = users?.reason ?? (seeds.length >= 2 ? 'every seed gives the same difference' : 'one seed each');
  return notTested(difference, seeds.length === 0 ? 'the two have no seed in common' : why);
}

/** Runs of one side of a comparison. */
export interface ComparedSide {
  runs: readonly StudyRun[];
  /** One run says everything. */
  deterministic: boolean;
}

/**
 * The runs whose users decide: those of the seeds that both sides have, or one run each. Null where seeds decide, or nothing can.
 */
export function runsOfFewSeeds(
  above: ComparedSide,
  below: ComparedSide,
): { above: readonly StudyRun[]; below: readonly StudyRun[] } | null {
  if (above.runs.length === 0 || below.runs.length === 0) return null;
  if (above.runs.length === 1 && below.runs.length === 1) return { above: above.runs, below: below.runs };
  const has = ({ runs, deterministic }: ComparedSide, seed: number) =>
    deterministic || runs.some((run) => run.seed === seed);
  const of = (side: ComparedSide, other: ComparedSide) => side.runs.filter(({ seed }) => has(other, seed));
  const [ours, theirs] = [of(above, below), of(below, above)];
  const seeds = new Set(
    [...(above.deterministic ? [] : ours), ...(below.deterministic ? [] : theirs)].map(({ seed }) => seed),
  );
  if (seeds.size === 0 || seeds.size >= LEAST_SEEDS) return null;
  return { above: above.deterministic ? above.runs : ours, below: below.deterministic ? below.runs : theirs };
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

function told({ difference, low, high, p }: DifferenceTest, test: string): Outcome {
  return { difference, low, high, p, test, reason: '' };
}

function notTested(difference: number, reason: string): Outcome {
  return { difference, low: null, high: null, p: null, test: '', reason };
}

function untested(reason: string, forever: boolean): TestedComparison {
  const nothing = { difference: null, low: null, high: null, p: null, test: '' };
  return { ...nothing, reason, forever, shortened: false, runs: [] };
}
