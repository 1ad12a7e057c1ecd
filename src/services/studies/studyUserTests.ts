import { metricDirection } from '#src/catalog/metricDirection.ts';
import type { Study, StudyComparison } from '#src/catalog/studies/study.ts';
import { WarrenError } from '#src/contracts/errors.ts';
import { invariant } from '#src/lib/invariant.ts';
import type { ArtifactStore } from '#src/platform/artifacts/artifactStore.ts';
import { findConfigurations } from '#src/store/runs/configurationRecord.ts';
import { findRunsById, type RunRecord } from '#src/store/runs/runRecord.ts';
import type { ArmRuns, StudyRun } from '#src/reproductions/armRuns.ts';
import { comparisonsOf } from '#src/reproductions/studyNeeds.ts';
import {
  type ComparedSide,
  pairsOf,
  runsOfFewSeeds,
  type UserTest,
  type UserTestOf,
} from '#src/reproductions/testComparison.ts';
import type { ComparedMetric, ReplicateGroup } from '../comparison/compareRuns.ts';
import { userTests } from '../comparison/userTests.ts';
import type { ServiceContext } from '../serviceContext.ts';

type Context = Pick<ServiceContext, 'db'> & { artifacts: ArtifactStore };

/** Tests that were made, by the runs and the metric: what ended runs left does not change. */
const made = new Map<string, UserTest>();
const MOST_MADE = 2_000;

const idsOf = (runs: readonly StudyRun[]): string => runs.map(({ id }) => id).join('+');

function keyOf(above: readonly StudyRun[], below: readonly StudyRun[], metric: string): string {
  return `${idsOf(above)} ${idsOf(below)} ${metric}`;
}

/** Runs of one arm against those of another. */
interface Pair {
  above: readonly StudyRun[];
  below: readonly StudyRun[];
  metric: string;
}

/**
 * Makes the tests over users that the comparisons of a study need: those of two arms with few seeds in common. What could be
 * read of no users says why.
 * @param options.signal Ends the work when it is aborted.
 * @param options.onPassing Hears of tests that took too long or too much: they may be made another time, and are not remembered.
 */
export async function studyUserTests(
  context: Context,
  study: Study,
  {
    arms,
    signal,
    onPassing,
  }: { arms: ReadonlyMap<string, ArmRuns>; signal?: AbortSignal | undefined; onPassing?: (() => void) | undefined },
): Promise<UserTestOf> {
  const wanted = comparisonsOf(study).flatMap((comparison) => pairOf(comparison, arms) ?? []);
  const missing = wanted.filter(({ above, below, metric }) => !made.has(keyOf(above, below, metric)));
  const batches = new Map<string, Pair[]>();
  for (const pair of missing) {
    const batch = `${idsOf(pair.below)} ${pair.metric}`;
    batches.set(batch, [...(batches.get(batch) ?? []), pair]);
  }
  const passing = new Map<string, UserTest>();
  for (const pairs of batches.values()) await testBatch(context, pairs, { passing, signal });
  if (passing.size > 0) onPassing?.();
  while (made.size > MOST_MADE) made.delete(made.keys().next().value ?? '');
  return (above, below, metric) => {
    const key = keyOf(above, below, metric);
    return made.get(key) ?? passing.get(key) ?? null;
  };
}

/** The runs of a comparison that their users decide; null for others. */
function pairOf(comparison: StudyComparison, arms: ReadonlyMap<string, ArmRuns>): Pair | null {
  const { metric, belowMetric = metric } = comparison;
  const [names, ...others] = pairsOf(comparison);
  if (names === undefined || others.length > 0 || metric !== belowMetric) return null;
  const [above, below] = names.map((name) => sideOf(arms.get(name), metric));
  const few = above === undefined || below === undefined ? null : runsOfFewSeeds(above, below);
  return few === null ? null : { ...few, metric };
}

/** As `measureValue` has it: one run says everything of an arm without randomness, and runs without the metric say nothing. */
function sideOf(found: ArmRuns | undefined, metric: string): ComparedSide {
  const deterministic = found?.arm.deterministic === true;
  const finished = found?.finished.filter(({ metrics }) => metrics.get(metric)?.last != null) ?? [];
  return { runs: deterministic ? finished.slice(-1) : finished, deterministic };
}

async function testBatch(
  context: Context,
  pairs: readonly Pair[],
  { passing, signal }: { passing: Map<string, UserTest>; signal: AbortSignal | undefined },
): Promise<void> {
  const { metric, below } = pairs[0]!;
  const ids = [...new Set([...below, ...pairs.flatMap(({ above }) => above)].map(({ id }) => id))];
  const runs = await findRunsById(context.db, ids);
  const groupOf = await replicateGroups(context, runs);
  const compared: ComparedMetric = { name: metric, direction: metricDirection(metric), final: [], best: [] };
  const tests = await userTests(
    context,
    { runs, fields: [], metrics: [compared], groups: [] },
    {
      groups: pairs.map(({ above }) => groupOf(above)),
      baseline: groupOf(below),
      metrics: [compared],
      // studies tell the t-test alone
      signedRanks: false,
      signal,
    },
  ).catch((error: unknown) => {
    // what takes too long or too much says so in the page, and the rest of it is shown
    if (error instanceof WarrenError && error.code === 'TOO_LARGE') return error;
    throw error;
  });
  for (const [index, { above }] of pairs.entries()) {
    const key = keyOf(above, below, metric);
    if (tests instanceof WarrenError) passing.set(key, { test: null, n: 0, reason: tests.message });
    else {
      const told = tests.get(compared)?.[index] ?? null;
      made.set(key, { test: told?.test ?? null, n: told?.n ?? 0, reason: told?.reason ?? null });
    }
  }
}

/** Makes a group of the runs of one arm. */
async function replicateGroups({ db }: Context, runs: readonly RunRecord[]) {
  const configurations = await findConfigurations(db, [...new Set(runs.map((run) => run.configurationHash))]);
  return (chosen: readonly StudyRun[]): ReplicateGroup => {
    const hash = runs.find(({ id }) => id === chosen[0]?.id)?.configurationHash;
    const configuration = configurations.find((one) => one.hash === hash);
    invariant(configuration !== undefined, 'a run has its configuration');
    return { configuration, runIds: chosen.map(({ id }) => id), seeds: chosen.map(({ seed }) => seed), metrics: [] };
  };
}
