import type { MetricDirection } from '#src/catalog/kind.ts';
import { type ErrorCode, WarrenError } from '#src/base/contracts/errors.ts';
import { type CrossedSide, crossedSums, crossedTest } from '#src/statistics/crossedTest.ts';
import { countDifferences } from '#src/statistics/differenceCounts.ts';
import { pairedDifferenceTest } from '#src/statistics/differenceTest.ts';
import { meanOfReplicates } from '#src/statistics/replicates.ts';
import { parseUserMetricName, usersInRange } from '#src/statistics/userMetricName.ts';
import { userDifferences, userMetrics, userValues } from '#src/statistics/userValues.ts';
import { testedOf } from '#src/statistics/verdict.ts';
import { type BaselineTest, type ConfigurationTest, untested } from '#src/runs/configurationTest.ts';
import type { RunUserFiles, RunUserTable, UserTableReader } from './userTables.ts';

/** Runs of one configuration that succeeded. */
export interface TestedGroup {
  configurationHash: string;
  /** How the configuration splits its dataset, as a text that is equal where that is equal. */
  split: string;
  /** Its kind draws nothing at random. */
  deterministic: boolean;
  runs: readonly (RunUserFiles & { seed: number })[];
}

export interface TestedMetric {
  name: string;
  direction: MetricDirection | null;
}

/** Everything that tests over users need, as plain data that may go to a thread. */
export interface UserTestsTask {
  groups: readonly TestedGroup[];
  baseline: TestedGroup;
  metrics: readonly TestedMetric[];
  /** Whether the signed-rank tests are wanted, too: they take most of the time. */
  signedRanks: boolean;
}

/** Names of metrics told in a reason. */
const MOST_NAMED = 30;
/** Differences below these are rounding: of doubles made from ranks, of metrics stored in single precision. */
const PRECISION = { ranks: 1e-12, metrics: 1e-7 } as const;

const GROUPED_BY = { length: 'length of the history', popularity: 'popularity of the target' } as const;

/** What the runs of one configuration tell of each user. */
interface UserMeans {
  /** By the name of the metric: each user's mean over the seeds, and how far seeds differ; a text says why it has none. */
  values: ReadonlyMap<string, CrossedSide | string>;
  /** The first run's table: whose users, of which dataset. */
  table: RunUserTable;
  seeds: number[];
  deterministic: boolean;
}

interface Pair {
  ours: UserMeans;
  theirs: UserMeans;
}

/**
 * Each configuration against the baseline over users, and over seeds as well where each that is trained has enough of them
 * (`crossedTest`). With fewer a user's value is the mean over the runs of the configuration, pairs are the same user's, and the
 * test is about these trained models alone. It takes seconds where there are many users.
 * @returns For each configuration one test per metric, both in their order.
 */
export async function computeUserTests(
  { groups, baseline, metrics, signedRanks }: UserTestsTask,
  reader: UserTableReader,
): Promise<ConfigurationTest[][]> {
  const theirReader = notingPassing(reader);
  const theirs = await userMeans(theirReader, baseline, metrics);
  const tests: ConfigurationTest[][] = [];
  for (const group of groups) {
    const ourReader = notingPassing(reader);
    const pair =
      typeof theirs === 'string'
        ? `the baseline: ${theirs}`
        : await pairUp(group, { reader: ourReader, metrics, baseline, theirs });
    const passing = theirReader.hasPassing() || ourReader.hasPassing();
    tests.push(
      metrics.map((metric) => ({
        configurationHash: group.configurationHash,
        ...(typeof pair === 'string' ? untested(pair) : userTest(pair, metric, signedRanks)),
        ...(passing && { passing: true as const }),
      })),
    );
  }
  return tests;
}

interface Against {
  reader: UserTableReader;
  metrics: readonly TestedMetric[];
  baseline: TestedGroup;
  theirs: UserMeans;
}

/** The users of both configurations, or why they are no pairs. */
async function pairUp(group: TestedGroup, { reader, metrics, baseline, theirs }: Against): Promise<Pair | string> {
  const ours = await userMeans(reader, group, metrics);
  if (typeof ours === 'string') return ours;
  const other = whyOtherUsers(ours.table, theirs.table);
  if (other !== null) return `users cannot be paired: it ${other} the baseline`;
  if (group.split !== baseline.split) {
    return 'users cannot be paired: it was evaluated by another split than the baseline';
  }
  return { ours, theirs };
}

function userTest({ ours, theirs }: Pair, metric: TestedMetric, signedRanks: boolean): BaselineTest {
  const [a, b] = [ours.values.get(metric.name)!, theirs.values.get(metric.name)!];
  if (typeof a === 'string') return untested(a);
  if (typeof b === 'string') return untested(`the baseline: ${b}`);
  const differences = userDifferences(a.users, b.users, PRECISION[ours.table.of]);
  const n = differences.length;
  if (n < 2) return untested(n === 0 ? 'no user is in this group' : `needs two users, there is ${n}`);
  const sides = [ours, theirs].map(({ seeds, deterministic }) => ({ seeds: seeds.length, deterministic }));
  const about = testedOf(sides);
  const test =
    about === 'models' || sides.every(({ deterministic }) => deterministic)
      ? pairedDifferenceTest(differences, metric.direction, { signedRanks })
      : crossedTest(a, b, metric.direction);
  if (test === null) return untested(`every user has the same difference in ${metric.name}`);
  const mean = meanOfReplicates(a.users);
  const baselineMean = meanOfReplicates(b.users);
  const users = countDifferences(differences);
  const { seeds } = ours;
  return {
    ...untested(''),
    mean,
    baselineMean,
    n,
    seeds,
    baselineSeeds: theirs.seeds,
    test,
    about,
    users,
    reason: null,
  };
}

/** What the runs of a configuration tell of users, one value a seed, or why they tell nothing. */
async function userMeans(
  reader: UserTableReader,
  { runs, deterministic }: TestedGroup,
  metrics: readonly TestedMetric[],
): Promise<UserMeans | string> {
  const seeds = [...new Set(runs.map((run) => run.seed))].sort((a, b) => a - b);
  const sides = new Map(metrics.map(({ name }) => [name, crossedSums()]));
  const reasons = new Map<string, string>();
  let first: RunUserTable | null = null;
  for (const seed of seeds) {
    const ofSeed = runs.filter((run) => run.seed === seed);
    const sums = new Map<string, Float64Array | string>();
    for (const run of ofSeed) {
      const table = await readOrWhy(reader, run);
      if (typeof table === 'string') return table;
      first ??= table;
      const other = whyOtherUsers(table, first);
      if (other !== null) return `run ${run.number} ${other} run ${runs[0]!.number}`;
      for (const { name } of metrics) sums.set(name, added(sums.get(name), table, name));
    }
    for (const [name, sum] of sums) {
      if (typeof sum === 'string') reasons.set(name, sum);
      else if (!sides.get(name)!.add(sum.map((value) => value / ofSeed.length)))
        reasons.set(name, `its runs tell other users apart in ${name}`);
    }
  }
  if (first === null) return 'no run of it has succeeded';
  const values = new Map([...sides].map(([name, sums]) => [name, reasons.get(name) ?? sideOf(sums, deterministic)]));
  return { values, table: first, seeds, deterministic };
}

/** What one run says, several say no better where nothing is drawn at random. */
function sideOf(sums: ReturnType<typeof crossedSums>, deterministic: boolean): CrossedSide {
  const side = sums.side();
  return deterministic ? { ...side, seeds: [meanOfReplicates(side.seeds)] } : side;
}

/** Reasons that stay: what was left is gone, or is not what can be read. Others are of the store, which may answer again. */
const LASTING: ReadonlySet<ErrorCode> = new Set(['NOT_FOUND', 'BAD_INPUT', 'DATA_ERROR', 'TOO_LARGE']);

/** A reader that also says whether it has failed in a way that may pass. */
function notingPassing(reader: UserTableReader): UserTableReader & { hasPassing(): boolean } {
  let failed = false;
  return {
    hasPassing: () => failed,
    read: async (run) =>
      await reader.read(run).catch((error: unknown) => {
        if (error instanceof WarrenError && !LASTING.has(error.code)) failed = true;
        throw error;
      }),
  };
}

async function readOrWhy(reader: UserTableReader, run: RunUserFiles): Promise<RunUserTable | string> {
  try {
    return await reader.read(run);
  } catch (error) {
    if (error instanceof WarrenError) return error.message;
    throw error;
  }
}

/** The sum of a metric over runs, with one more of them; a text says why there is none. */
function added(sum: Float64Array | string | undefined, table: RunUserTable, name: string): Float64Array | string {
  if (typeof sum === 'string') return sum;
  const values = valuesOf(table, name);
  if (sum === undefined || typeof values === 'string') return values;
  if (sum.length !== values.length) return `its runs tell other users apart in ${name}`;
  for (let user = 0; user < sum.length; user++) sum[user]! += values[user]!;
  return sum;
}

/** A metric of each user, or of those of the group that its name says; a text says why the run does not tell it. */
function valuesOf(table: RunUserTable, name: string): Float64Array | string {
  const parsed = parseUserMetricName(name);
  if (parsed === null || parsed.part !== table.part) return notTold(table, name);
  let values: Float64Array;
  try {
    values = userValues(table, parsed.metric);
  } catch (error) {
    if (error instanceof RangeError) return notTold(table, name);
    throw error;
  }
  const { group } = parsed;
  if (group === null) return values;
  const by = table.groupings[group.of];
  if (by !== null) return Float64Array.from(usersInRange(by, group), (row) => values[row]!);
  return `its runs did not leave the ${GROUPED_BY[group.of]} of each user: run them again`;
}

function notTold(table: RunUserTable, name: string): string {
  const told = userMetrics(table);
  const listed = told.slice(0, MOST_NAMED).map((one) => `${table.part}/${one}`);
  return `what its runs left of each user tells ${listed.join(', ')}${told.length > MOST_NAMED ? ', …' : ''}, not ${name}`;
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
