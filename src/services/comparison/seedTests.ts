import { pairedDifferenceTest, welchDifferenceTest } from '#src/statistics/differenceTest.ts';
import { summarizeReplicates } from '#src/statistics/replicates.ts';
import type { ComparedMetric, Comparison, ReplicateGroup } from './compareRuns.ts';
import { type ConfigurationTest, NOTHING_VARIES, untested } from './configurationTest.ts';

/** Final values by seed; two runs of a seed count once, by their mean. */
type SeedValues = ReadonlyMap<number, number>;

/**
 * The configuration against the baseline over their seeds: paired t-test and signed-rank test over the seeds that both have,
 * where there are two at least, else Welch's test where both have two seeds. Runs that have not succeeded are left out.
 */
export function seedTest(
  comparison: Comparison,
  groups: { group: ReplicateGroup; baseline: ReplicateGroup },
  metric: ComparedMetric,
): ConfigurationTest {
  const { hash } = groups.group.configuration;
  const ours = valuesBySeed(comparison, groups.group, metric);
  const theirs = valuesBySeed(comparison, groups.baseline, metric);
  for (const [values, whose] of [
    [ours, 'it'],
    [theirs, 'the baseline'],
  ] as const) {
    if (values.size === 0) return untested(hash, `no run of ${whose} that succeeded has ${metric.name}`);
    const [seed] = [...values].find(([, value]) => !Number.isFinite(value)) ?? [];
    if (seed !== undefined) return untested(hash, `${metric.name} of ${whose} is not finite with seed ${seed}`);
  }
  const shared = [...ours.keys()].filter((seed) => theirs.has(seed)).sort((a, b) => a - b);
  if (shared.length >= 2) return overSharedSeeds(hash, { ours, theirs, shared }, metric);
  const seeds = `${seedsText(ours)}; the baseline has ${seedsText(theirs)}`;
  if (ours.size < 2 || theirs.size < 2) {
    return untested(hash, `needs two seeds of each, best the same ones: it has ${seeds}`);
  }
  const test = welchDifferenceTest([...ours.values()], [...theirs.values()], metric.direction);
  if (test === null) return untested(hash, NOTHING_VARIES);
  return {
    ...untested(hash, `not paired, since fewer than two seeds are shared: it has ${seeds}`),
    ...means([...ours.values()], [...theirs.values()]),
    n: ours.size,
    seeds: [...ours.keys()].sort((a, b) => a - b),
    test,
  };
}

function overSharedSeeds(
  hash: string,
  { ours, theirs, shared }: { ours: SeedValues; theirs: SeedValues; shared: number[] },
  { direction }: ComparedMetric,
): ConfigurationTest {
  const [a, b] = [shared.map((seed) => ours.get(seed)!), shared.map((seed) => theirs.get(seed)!)];
  const differences = a.map((value, pair) => value - b[pair]!);
  const test = pairedDifferenceTest(differences, direction);
  if (test === null) return untested(hash, NOTHING_VARIES);
  return {
    ...untested(hash, ''),
    ...means(a, b),
    n: shared.length,
    seeds: shared,
    differences,
    test,
    reason: null,
  };
}

function valuesBySeed(comparison: Comparison, group: ReplicateGroup, metric: ComparedMetric): SeedValues {
  const bySeed = new Map<number, number[]>();
  for (const [index, run] of comparison.runs.entries()) {
    const value = metric.final[index] ?? null;
    if (value === null || run.state !== 'SUCCEEDED' || !group.runIds.includes(run.id)) continue;
    const values = bySeed.get(run.seed);
    if (values === undefined) bySeed.set(run.seed, [value]);
    else values.push(value);
  }
  return new Map([...bySeed].map(([seed, values]) => [seed, summarizeReplicates(values).mean]));
}

function means(a: readonly number[], b: readonly number[]): Pick<ConfigurationTest, 'mean' | 'baselineMean'> {
  return { mean: summarizeReplicates(a).mean, baselineMean: summarizeReplicates(b).mean };
}

function seedsText(values: SeedValues): string {
  const seeds = [...values.keys()].sort((a, b) => a - b);
  const shown = seeds.slice(0, 8).join(', ');
  return `${seeds.length === 1 ? 'seed' : 'seeds'} ${shown}${seeds.length > 8 ? ', …' : ''}`;
}
