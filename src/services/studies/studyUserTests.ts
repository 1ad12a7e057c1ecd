import { metricDirection } from '#src/catalog/metricDirection.ts';
import type { Study, StudyComparison } from '#src/catalog/studies/study.ts';
import { WarrenError } from '#src/contracts/errors.ts';
import type { ArtifactStore } from '#src/platform/artifacts/artifactStore.ts';
import { findConfigurations } from '#src/store/runs/configurationRecord.ts';
import { findRunsById, type RunRecord } from '#src/store/runs/runRecord.ts';
import type { ArmRuns, StudyRun } from '#src/studies/armRuns.ts';
import { comparisonsOf } from '#src/studies/studyNeeds.ts';
import { pairsOf, type UserTest, type UserTestOf } from '#src/studies/testComparison.ts';
import type { ComparedMetric, ReplicateGroup } from '../comparison/compareRuns.ts';
import { userTests } from '../comparison/userTests.ts';
import type { ServiceContext } from '../serviceContext.ts';

type Context = Pick<ServiceContext, 'db'> & { artifacts: ArtifactStore };

/** Tests that were made, by the runs and the metric: what ended runs left does not change. */
const made = new Map<string, UserTest>();
const MOST_MADE = 2_000;

function keyOf(above: StudyRun, below: StudyRun, metric: string): string {
  return `${above.id} ${below.id} ${metric}`;
}

/** One run of one arm against one of another. */
interface Pair {
  above: StudyRun;
  below: StudyRun;
  metric: string;
}

/**
 * Makes the tests over users that the comparisons of a study need: those of two arms with one run each. What could be read of
 * no users says why.
 * @param signal Ends the work when it is aborted.
 */
export async function studyUserTests(
  context: Context,
  study: Study,
  { arms, signal }: { arms: ReadonlyMap<string, ArmRuns>; signal?: AbortSignal | undefined },
): Promise<UserTestOf> {
  const wanted = comparisonsOf(study).flatMap((comparison) => pairOf(comparison, arms) ?? []);
  const missing = wanted.filter(({ above, below, metric }) => !made.has(keyOf(above, below, metric)));
  const batches = new Map<string, Pair[]>();
  for (const pair of missing) {
    const batch = `${pair.below.id} ${pair.metric}`;
    batches.set(batch, [...(batches.get(batch) ?? []), pair]);
  }
  for (const pairs of batches.values()) await testBatch(context, pairs, signal);
  while (made.size > MOST_MADE) made.delete(made.keys().next().value ?? '');
  return (above, below, metric) => made.get(keyOf(above, below, metric)) ?? null;
}

/** The two runs of a comparison that only their users can decide; null for others. */
function pairOf(comparison: StudyComparison, arms: ReadonlyMap<string, ArmRuns>): Pair | null {
  const { metric, belowMetric = metric } = comparison;
  const [names, ...others] = pairsOf(comparison);
  if (names === undefined || others.length > 0 || metric !== belowMetric) return null;
  const [above, below] = names.map((name) => usedRuns(arms.get(name)));
  if (above?.length !== 1 || below?.length !== 1) return null;
  return { above: above[0]!, below: below[0]!, metric };
}

/** As `measureValue` has it: one run says everything of an arm without randomness. */
function usedRuns(found: ArmRuns | undefined): readonly StudyRun[] {
  if (found === undefined) return [];
  return found.arm.deterministic === true ? found.finished.slice(-1) : found.finished;
}

async function testBatch(context: Context, pairs: readonly Pair[], signal: AbortSignal | undefined): Promise<void> {
  const { metric, below } = pairs[0]!;
  const ids = [...new Set([below.id, ...pairs.map(({ above }) => above.id)])];
  const runs = await findRunsById(context.db, ids);
  const groups = await groupsOf(context, runs);
  const compared: ComparedMetric = { name: metric, direction: metricDirection(metric), final: [], best: [] };
  const tests = await userTests(
    context,
    { runs, fields: [], metrics: [compared], groups },
    {
      groups: pairs.flatMap(({ above }) => groups.find(({ runIds }) => runIds.includes(above.id)) ?? []),
      baseline: groups.find(({ runIds }) => runIds.includes(below.id))!,
      metrics: [compared],
      signal,
    },
  ).catch((error: unknown) => {
    // what takes too long or too much says so in the page, and the rest of it is shown
    if (error instanceof WarrenError && error.code === 'TOO_LARGE') return error;
    throw error;
  });
  for (const [index, { above }] of pairs.entries()) {
    const told = tests instanceof WarrenError ? null : (tests.get(compared)?.[index] ?? null);
    const reason = tests instanceof WarrenError ? tests.message : (told?.reason ?? null);
    made.set(keyOf(above, below, metric), { test: told?.test ?? null, n: told?.n ?? 0, reason });
  }
}

async function groupsOf({ db }: Context, runs: readonly RunRecord[]): Promise<ReplicateGroup[]> {
  const configurations = await findConfigurations(db, [...new Set(runs.map((run) => run.configurationHash))]);
  return runs.flatMap((run) => {
    const configuration = configurations.find(({ hash }) => hash === run.configurationHash);
    return configuration === undefined ? [] : [{ configuration, runIds: [run.id], seeds: [run.seed], metrics: [] }];
  });
}
