import { pairedDifferenceTest, welchDifferenceTest } from '#src/statistics/differenceTest.ts';
import { testedOf } from '#src/statistics/verdict.ts';
import { summarizeReplicates } from '#src/statistics/replicates.ts';
import type { ComparedMetric, Comparison, ReplicateGroup } from './compareRuns.ts';
import { type BaselineTest, type ConfigurationTest, NOTHING_VARIES, untested } from '#src/runs/configurationTest.ts';

/** Values of runs by their seed; two runs of a seed count once, by their mean. */
export type SeedValues = ReadonlyMap<number, number>;

/** The configuration against the baseline over their seeds. Runs that have not succeeded are left out. */
export function seedTest(
  comparison: Comparison,
  { group, baseline }: { group: ReplicateGroup; baseline: ReplicateGroup },
  metric: ComparedMetric,
): ConfigurationTest {
  const ours = finalValuesBySeed(comparison, group, metric);
  const theirs = finalValuesBySeed(comparison, baseline, metric);
  return { configurationHash: group.configuration.hash, ...testOverSeeds({ ours, theirs }, metric) };
}

/**
 * Two groups of runs over their seeds: paired t-test and signed-rank test over the seeds that both have, where there are two
 * at least, else Welch's test where both have two seeds.
 */
export function testOverSeeds(
  { ours, theirs }: { ours: SeedValues; theirs: SeedValues },
  metric: Pick<ComparedMetric, 'name' | 'direction'>,
): BaselineTest {
  for (const [values, whose] of [
    [ours, 'it'],
    [theirs, 'the baseline'],
  ] as const) {
    if (values.size === 0) return untested(`no run of ${whose} that succeeded has ${metric.name}`);
    const [seed] = [...values].find(([, value]) => !Number.isFinite(value)) ?? [];
    if (seed !== undefined) return untested(`${metric.name} of ${whose} is not finite with seed ${seed}`);
  }
  const shared = [...ours.keys()].filter((seed) => theirs.has(seed)).sort((a, b) => a - b);
  if (shared.length >= 2) return overSharedSeeds({ ours, theirs, shared }, metric);
  const seeds = `${seedsText(ours)}; the baseline has ${seedsText(theirs)}`;
  if (ours.size < 2 || theirs.size < 2) {
    return untested(`needs two seeds of each, best the same ones: it has ${seeds}`);
  }
  const test = welchDifferenceTest([...ours.values()], [...theirs.values()], metric.direction);
  if (test === null) return untested(NOTHING_VARIES);
  return {
    ...untested(`not paired, since fewer than two seeds are shared: it has ${seeds}`),
    ...means([...ours.values()], [...theirs.values()]),
    n: ours.size,
    seeds: [...ours.keys()].sort((a, b) => a - b),
    baselineSeeds: [...theirs.keys()].sort((a, b) => a - b),
    about: aboutSeeds(ours.size, theirs.size),
    test,
  };
}

function overSharedSeeds(
  { ours, theirs, shared }: { ours: SeedValues; theirs: SeedValues; shared: number[] },
  { direction }: Pick<ComparedMetric, 'direction'>,
): BaselineTest {
  const [a, b] = [shared.map((seed) => ours.get(seed)!), shared.map((seed) => theirs.get(seed)!)];
  const differences = a.map((value, pair) => value - b[pair]!);
  const test = pairedDifferenceTest(differences, direction);
  if (test === null) return untested(NOTHING_VARIES);
  const n = shared.length;
  const about = aboutSeeds(n);
  return {
    ...untested(''),
    ...means(a, b),
    n,
    seeds: shared,
    baselineSeeds: shared,
    differences,
    test,
    about,
    reason: null,
  };
}

/** Two seeds vary by chance alike too often: they tell of these models. */
function aboutSeeds(...counts: number[]) {
  return testedOf(counts.map((seeds) => ({ seeds, deterministic: false })));
}

/** One value a seed, of the runs that have one. */
export function valuesBySeed(runs: readonly { seed: number; value: number | null }[]): SeedValues {
  const bySeed = new Map<number, number[]>();
  for (const { seed, value } of runs) {
    if (value === null) continue;
    const values = bySeed.get(seed);
    if (values === undefined) bySeed.set(seed, [value]);
    else values.push(value);
  }
  return new Map([...bySeed].map(([seed, values]) => [seed, summarizeReplicates(values).mean]));
}

function finalValuesBySeed(comparison: Comparison, group: ReplicateGroup, metric: ComparedMetric): SeedValues {
  const members = new Set(group.runIds);
  return valuesBySeed(
    comparison.runs.flatMap(({ id, seed, state }, index) =>
      state === 'SUCCEEDED' && members.has(id) ? [{ seed, value: metric.final[index] ?? null }] : [],
    ),
  );
}

function means(a: readonly number[], b: readonly number[]): Pick<BaselineTest, 'mean' | 'baselineMean'> {
  return { mean: summarizeReplicates(a).mean, baselineMean: summarizeReplicates(b).mean };
}

function seedsText(values: SeedValues): string {
  const seeds = [...values.keys()].sort((a, b) => a - b);
  const shown = seeds.slice(0, 8).join(', ');
  return `${seeds.length === 1 ? 'seed' : 'seeds'} ${shown}${seeds.length > 8 ? ', …' : ''}`;
}
