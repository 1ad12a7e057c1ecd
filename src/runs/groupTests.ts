import { setImmediate } from 'node:timers/promises';
import { badInput, WarrenError } from '#src/base/contracts/errors.ts';
import { printField } from '#src/base/contracts/runFilter/print.ts';
import { type Effect, valuesForPower } from '#src/statistics/power.ts';
import { summarizeReplicates } from '#src/statistics/replicates.ts';
import { VERDICT_LEVEL, verdictOf } from '#src/statistics/verdict.ts';
import type { Connection } from '#src/base/database/connection.ts';
import type { Grouping } from '#src/runs/store/groupedRunsSql.ts';
import { findGroupOfRun, type GroupSeedValues, selectGroupSeedValues } from '#src/runs/store/runGroups.ts';
import type { RunSelection } from '#src/runs/store/runPage.ts';
import { type BaselineTest, corrected, untested } from './configurationTest.ts';
import { type SeedValues, testOverSeeds, valuesBySeed } from '../comparisons/seedTests.ts';
import { decodeGroupId, isGroupId } from './groupId.ts';
import { resolveRuns, whyNoRun } from './findRun.ts';
import type { GroupTest, SummedMetric } from './grouping.ts';
import type { LikeGroups } from './likeGroups.ts';

export interface GroupTests {
  baselineKey: string;
  /** By the key of a group one test a metric. */
  tests: ReadonlyMap<string, GroupTest[]>;
}

const MOST_GROUPS = 1_000;
const POWER = 0.8;
/** Groups whose needed seeds are computed in one go: some milliseconds. */
const SLICE = 20;

/**
 * Every group against the baseline in every metric, Holm's correction over all that compare with it in any; null without a baseline. Power is
 * computed for the groups that are shown.
 * @throws WarrenError BAD_INPUT for a baseline that is not there, TOO_LARGE for more than a thousand groups.
 */
export async function testGroups(
  connection: Connection,
  selection: RunSelection,
  input: {
    grouping: Grouping;
    metrics: readonly SummedMetric[];
    /** Which groups compare at all; null: all. */
    like: LikeGroups | null;
    baseline: string | null;
    groupCount: number;
    shown: readonly string[];
  },
): Promise<GroupTests | null> {
  const { grouping, metrics, baseline } = input;
  if (baseline === null) return null;
  const baselineKey = await resolveBaseline(connection, selection, { grouping, baseline });
  if (metrics.length === 0) return { baselineKey, tests: new Map() };
  if (input.groupCount > MOST_GROUPS) {
    const message = `baseline: at most ${MOST_GROUPS} groups are tested at once, there are ${input.groupCount}: filter the runs, or group by fewer fields`;
    throw new WarrenError('TOO_LARGE', message, { path: 'baseline' });
  }
  const groups = await selectGroupSeedValues(connection, selection, grouping);
  const theirs = groups.find(({ key }) => key === baselineKey);
  const others = groups.filter(({ key }) => key !== baselineKey);
  const shown = new Set(input.shown);
  const rows = metrics.map((metric, index) => {
    const whyNot = new Map(others.map(({ key }) => [key, input.like?.whyNot(index, key, baselineKey) ?? null]));
    const sides = { metric, theirs: bySeed(theirs, index) };
    const compared = others.flatMap((group) => {
      if (whyNot.get(group.key) !== null) return [];
      const ours = bySeed(group, index);
      return [{ key: group.key, shown: shown.has(group.key), ours, ...testOverSeeds({ ours, ...sides }, metric) }];
    });
    return { whyNot, compared: compared.map((one) => ({ ...one, ...sides })) };
  });
  const tests = corrected(rows.flatMap(({ compared }) => compared));
  const levels = new Map(holmLevels(tests).map((level, index) => [tests[index]!, level]));
  const byMetric: Map<string, GroupTest>[] = [];
  for (const [index, metric] of metrics.entries()) {
    const found = await judged(
      tests.filter((one) => one.metric === metric),
      levels,
    );
    for (const [key, reason] of rows[index]!.whyNot) {
      if (reason !== null) found.set(key, { ...untested(reason), verdict: null, seedsNeeded: null });
    }
    byMetric.push(found);
  }
  const shownTests = new Map(
    input.shown
      .filter((key) => key !== baselineKey)
      .map((key) => [key, byMetric.map((found, index) => found.get(key) ?? noRuns(metrics[index]!))]),
  );
  return { baselineKey, tests: shownTests };
}

function noRuns({ name }: SummedMetric): GroupTest {
  return { ...untested(`no run of it that succeeded has ${name}`), verdict: null, seedsNeeded: null };
}

async function resolveBaseline(
  connection: Connection,
  selection: RunSelection,
  { grouping, baseline }: { grouping: Grouping; baseline: string },
): Promise<string> {
  if (isGroupId(baseline)) {
    const { fields, key } = decodeGroupId(baseline, 'baseline');
    if (fields.map(printField).join() === grouping.fields.map(printField).join()) return key;
    throw badInput('baseline: this group was made by other fields; give the id of a group of this query', 'baseline');
  }
  const [run] = await resolveRuns(connection, [baseline]);
  if (run == null) throw badInput(`baseline: ${whyNoRun(baseline)}`, 'baseline');
  const key = await findGroupOfRun(connection, selection, { fields: grouping.fields, runId: run.id });
  if (key !== null) return key;
  throw badInput(`baseline: run ${run.number} is not among the runs that the filter finds`, 'baseline');
}

function bySeed(group: GroupSeedValues | undefined, index: number): SeedValues {
  if (group === undefined) return new Map();
  return valuesBySeed(group.seeds.map((seed, run) => ({ seed, value: group.values[index]?.[run] ?? null })));
}

type ComparedGroup = BaselineTest & {
  key: string;
  shown: boolean;
  metric: SummedMetric;
  ours: SeedValues;
  theirs: SeedValues;
};

/** The tests of one metric with their verdicts; in slices, between which others have the event loop. */
async function judged(
  tests: readonly ComparedGroup[],
  levels: ReadonlyMap<ComparedGroup, number>,
): Promise<Map<string, GroupTest>> {
  const found = new Map<string, GroupTest>();
  for (const [index, one] of tests.entries()) {
    const { key, shown, metric, ours, theirs, ...test } = one;
    if (index % SLICE === 0) await setImmediate();
    if (test.test === null) {
      found.set(key, { ...test, verdict: null, seedsNeeded: null });
      continue;
    }
    const p = test.pHolm ?? test.test.p;
    const { difference } = test.test;
    const verdict = verdictOf({ difference, p, direction: metric.direction, about: test.about });
    const needed =
      verdict === 'undecided' && shown ? seedsNeeded(test, { ours, theirs, level: levels.get(one)! }) : null;
    found.set(key, { ...test, verdict, seedsNeeded: verdict === 'undecided' ? needed : 0 });
  }
  return found;
}

/** The level at which Holm's method compares each test: the smallest p with the level over all tests, and so on. */
function holmLevels(tests: readonly BaselineTest[]): number[] {
  const order = [...tests.keys()].filter((index) => tests[index]!.test !== null);
  order.sort((a, b) => tests[a]!.test!.p - tests[b]!.test!.p);
  const levels = tests.map(() => VERDICT_LEVEL);
  for (const [rank, index] of order.entries()) levels[index] = VERDICT_LEVEL / (order.length - rank);
  return levels;
}

function seedsNeeded(
  { test, differences, n }: BaselineTest,
  { ours, theirs, level }: { ours: SeedValues; theirs: SeedValues; level: number },
): number | null {
  const paired = test?.method === 'paired';
  const needed = valuesForPower(paired ? pairedEffect(differences) : welchEffect(ours, theirs), {
    power: POWER,
    level,
  });
  const have = paired ? n : Math.min(ours.size, theirs.size);
  return needed === null ? null : Math.max(1, needed - have);
}

function pairedEffect(differences: readonly number[]): Effect {
  const { mean, standardDeviation } = summarizeReplicates(differences);
  return { size: mean / standardDeviation!, dfFactor: 1 };
}

function welchEffect(ours: SeedValues, theirs: SeedValues): Effect {
  const [a, b] = [summarizeReplicates([...ours.values()]), summarizeReplicates([...theirs.values()])];
  const [u, v] = [a.standardDeviation! ** 2, b.standardDeviation! ** 2];
  return { size: (a.mean - b.mean) / Math.sqrt(u + v), dfFactor: (u + v) ** 2 / (u ** 2 + v ** 2) };
}
