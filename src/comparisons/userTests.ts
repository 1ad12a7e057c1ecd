import { findKind } from '#src/catalog/kinds.ts';
import { PER_USER_FILES } from '#src/base/contracts/perUserArtifact.ts';
import { canonicalJson } from '#src/base/lib/stableHash.ts';
import type { ArtifactStore } from '#src/base/platform/artifacts/artifactStore.ts';
import { type ArtifactRecord, listArtifacts } from '#src/artifacts/store/artifactRecord.ts';
import type { ComparedMetric, Comparison, ReplicateGroup } from './compareRuns.ts';
import { computeUserTests, type TestedGroup } from './computeUserTests.ts';
import type { ConfigurationTest } from '#src/runs/configurationTest.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { startUserTests } from './startUserTests.ts';
import { type ArtifactBytes, userTableReader } from './userTables.ts';

export interface UserTestsInput {
  groups: readonly ReplicateGroup[];
  baseline: ReplicateGroup;
  metrics: readonly ComparedMetric[];
  /** Whether the signed-rank tests are wanted, too. Default true. */
  signedRanks?: boolean;
  /** Artifacts of the runs, where they were read before. */
  artifacts?: readonly ArtifactRecord[];
  /** Ends the work when it is aborted. */
  signal?: AbortSignal | undefined;
}

const SPLIT_FIELDS = ['split', 'trainShare', 'validationShare', 'splitSeed'] as const;
const FILES: readonly string[] = Object.values(PER_USER_FILES).flatMap((files) => Object.values(files));

const NO_FILES: ArtifactBytes = {
  size: () => Promise.resolve(null),
  read: () => Promise.reject(new Error('internal: there are no files to read')),
};

/**
 * Each configuration against the baseline over users, by what its runs that succeeded left of each, in a thread of its own.
 * By metric and configuration, in their order.
 * @throws WarrenError as `startUserTests`.
 */
export async function userTests(
  context: Pick<ServiceContext, 'db'> & { artifacts: ArtifactStore },
  comparison: Comparison,
  { groups, baseline, metrics, signedRanks = true, artifacts: given, signal }: UserTestsInput,
): Promise<Map<ComparedMetric, ConfigurationTest[]>> {
  const runIds = comparison.runs.map((run) => run.id);
  const artifacts = given ?? (await listArtifacts(context.db, runIds));
  const testedGroup = (group: ReplicateGroup): TestedGroup => describeGroup(comparison, group, artifacts);
  const task = {
    groups: groups.map(testedGroup),
    baseline: testedGroup(baseline),
    metrics: metrics.map(({ name, direction }) => ({ name, direction })),
    signedRanks,
  };
  const runs = [...task.groups, task.baseline].flatMap((group) => group.runs);
  const isEmpty = runs.every(({ files }) => Object.keys(files).length === 0);
  // a thread costs a good part of a second; without files all that is to be said is that there are none
  const byGroup = isEmpty
    ? await computeUserTests(task, userTableReader(NO_FILES))
    : await startUserTests(context.artifacts, task, signal);
  return new Map(metrics.map((metric, index) => [metric, byGroup.map((tests) => tests[index]!)]));
}

function describeGroup(
  { runs }: Comparison,
  { configuration, runIds }: ReplicateGroup,
  artifacts: readonly ArtifactRecord[],
): TestedGroup {
  const succeeded = runs.filter((run) => runIds.includes(run.id) && run.state === 'SUCCEEDED');
  const filesOf = (runId: string) =>
    artifacts.flatMap((one) =>
      one.runId === runId && FILES.includes(one.name) ? [[one.name, one.sha256] as const] : [],
    );
  return {
    configurationHash: configuration.hash,
    split: canonicalJson(SPLIT_FIELDS.map((field) => configuration.dataset?.[field] ?? null)),
    deterministic: findKind(configuration.kind)?.deterministic === true,
    runs: succeeded.map(({ id, number, seed }) => ({ number, seed, files: Object.fromEntries(filesOf(id)) })),
  };
}
