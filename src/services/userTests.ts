import { setImmediate } from 'node:timers/promises';
import { WarrenError } from '../contracts/errors.ts';
import { canonicalJson } from '../lib/stableHash.ts';
import type { ArtifactStore } from '../platform/artifactStore.ts';
import { pairedDifferenceTest } from '../statistics/differenceTest.ts';
import { summarizeReplicates } from '../statistics/replicates.ts';
import { userDifferences, userMetrics, userValues } from '../statistics/userValues.ts';
import { type ArtifactRecord, listArtifacts } from '../store/artifactRecord.ts';
import type { RunRecord } from '../store/runRecord.ts';
import type { ComparedMetric, Comparison, ReplicateGroup } from './compareRuns.ts';
import { type ConfigurationTest, untested } from './configurationTest.ts';
import type { ServiceContext } from './serviceContext.ts';
import { type RunUserTable, type UserTableReader, userTableReader } from './userTables.ts';

/** Differences below these are rounding: of doubles made from ranks, of metrics stored in single precision. */
const PRECISION = { ranks: 1e-12, metrics: 1e-7 } as const;

/** Each user's mean over the runs of one configuration. */
interface UserMeans {
  /** (users) By the name of the metric; a text says why it has none. */
  values: ReadonlyMap<string, Float64Array | string>;
  /** The first run's table: whose users, of which dataset. */
  table: RunUserTable;
  seeds: number[];
}

interface Pair {
  ours: UserMeans;
  theirs: UserMeans;
}

interface Groups {
  group: ReplicateGroup;
  baseline: ReplicateGroup;
}

interface Work {
  comparison: Comparison;
  metrics: readonly ComparedMetric[];
  reader: UserTableReader;
  artifacts: readonly ArtifactRecord[];
}

/**
 * Each configuration against the baseline over users: each user's value is the mean over the runs of the configuration that
 * succeeded, and pairs are the same user's. By metric and configuration, in their order.
 */
export async function userTests(
  context: Pick<ServiceContext, 'db'> & { artifacts: ArtifactStore },
  comparison: Comparison,
  {
    groups,
    baseline,
    metrics,
  }: { groups: readonly ReplicateGroup[]; baseline: ReplicateGroup; metrics: readonly ComparedMetric[] },
): Promise<Map<ComparedMetric, ConfigurationTest[]>> {
  const artifacts = await listArtifacts(
    context.db,
    comparison.runs.map((run) => run.id),
  );
  const work: Work = { comparison, metrics, reader: userTableReader(context.artifacts), artifacts };
  const theirs = await userMeans(work, baseline);
  const tests = new Map(metrics.map((metric) => [metric, [] as ConfigurationTest[]]));
  for (const group of groups) {
    const pair = await pairUp(work, theirs, { group, baseline });
    const { hash } = group.configuration;
    for (const metric of metrics) {
      // Sorting a hundred thousand users takes a while: the API answers others in between.
      await setImmediate();
      tests.get(metric)!.push(typeof pair === 'string' ? untested(hash, pair) : userTest(hash, pair, metric));
    }
  }
  return tests;
}

/** The users of both configurations, or why they are no pairs. */
async function pairUp(work: Work, theirs: UserMeans | string, groups: Groups): Promise<Pair | string> {
  if (typeof theirs === 'string') return `the baseline: ${theirs}`;
  const ours = await userMeans(work, groups.group);
  if (typeof ours === 'string') return ours;
  return whyNoPairs({ ours, theirs }, groups) ?? { ours, theirs };
}

function userTest(hash: string, { ours, theirs }: Pair, metric: ComparedMetric): ConfigurationTest {
  const [a, b] = [ours.values.get(metric.name)!, theirs.values.get(metric.name)!];
  if (typeof a === 'string') return untested(hash, a);
  if (typeof b === 'string') return untested(hash, `the baseline: ${b}`);
  const differences = userDifferences(a, b, PRECISION[ours.table.of]);
  const n = differences.length;
  if (n < 2) return untested(hash, `needs two users, there is ${n}`);
  const test = pairedDifferenceTest(differences, metric.direction);
  if (test === null) return untested(hash, `every user has the same difference in ${metric.name}`);
  const mean = summarizeReplicates([...a]).mean;
  const baselineMean = summarizeReplicates([...b]).mean;
  return { ...untested(hash, ''), mean, baselineMean, n, seeds: ours.seeds, test, reason: null };
}

/** Means over the runs of a configuration, or why there are none. */
async function userMeans(work: Work, group: ReplicateGroup): Promise<UserMeans | string> {
  const runs = work.comparison.runs.filter((run) => group.runIds.includes(run.id) && run.state === 'SUCCEEDED');
  const sums = new Map<string, Float64Array | string>();
  let first: RunUserTable | null = null;
  for (const run of runs) {
    const table = await readOrWhy(work, run);
    if (typeof table === 'string') return table;
    first ??= table;
    const other = whyOtherUsers(table, first);
    if (other !== null) return `run ${run.number} ${other} run ${runs[0]!.number}`;
    for (const { name } of work.metrics) sums.set(name, added(sums.get(name), table, name));
    await setImmediate();
  }
  if (first === null) return 'no run of it has succeeded';
  const means = [...sums].map(
    ([name, sum]) => [name, typeof sum === 'string' ? sum : sum.map((value) => value / runs.length)] as const,
  );
  return {
    values: new Map(means),
    table: first,
    seeds: [...new Set(runs.map((run) => run.seed))].sort((a, b) => a - b),
  };
}

async function readOrWhy({ reader, artifacts }: Work, run: RunRecord): Promise<RunUserTable | string> {
  try {
    return await reader.read(run, artifacts);
  } catch (error) {
    if (error instanceof WarrenError) return error.message;
    throw error;
  }
}

function added(sum: Float64Array | string | undefined, table: RunUserTable, name: string): Float64Array | string {
  if (typeof sum === 'string') return sum;
  const prefix = `${table.part}/`;
  const known = userMetrics(table);
  const metric = name.startsWith(prefix) ? name.slice(prefix.length) : null;
  if (metric === null || !known.includes(metric)) {
    return `what its runs left of each user tells ${known.map((one) => prefix + one).join(', ')}, not ${name}`;
  }
  const values = userValues(table, metric);
  return sum === undefined ? values : sum.map((value, user) => value + values[user]!);
}

/** In what two tables are not of the same users; null where they are. */
function whyOtherUsers(a: RunUserTable, b: RunUserTable): string | null {
  if (a.fingerprint !== b.fingerprint)
    return `used other data (fingerprint ${a.fingerprint.slice(0, 12)}, not ${b.fingerprint.slice(0, 12)}) than`;
  if (a.of !== b.of || a.part !== b.part) return 'was evaluated by another split than';
  const same =
    a.users === b.users || (a.users.length === b.users.length && a.users.every((user, row) => user === b.users[row]));
  return same ? null : 'was evaluated on other users than';
}

const SPLIT_FIELDS = ['split', 'trainShare', 'validationShare', 'splitSeed'] as const;

function whyNoPairs({ ours, theirs }: Pair, { group, baseline }: Groups): string | null {
  const other = whyOtherUsers(ours.table, theirs.table);
  if (other !== null) return `users cannot be paired: it ${other} the baseline`;
  const [split, baselineSplit] = [group, baseline].map(({ configuration: { dataset } }) =>
    canonicalJson(SPLIT_FIELDS.map((field) => dataset?.[field] ?? null)),
  );
  return split === baselineSplit ? null : 'users cannot be paired: it was evaluated by another split than the baseline';
}
