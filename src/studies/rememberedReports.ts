import { armConfiguration } from '#src/catalog/studies/armConfiguration.ts';
import type { Study } from '#src/catalog/studies/study.ts';
import { createBoundedCache } from '#src/base/lib/boundedCache.ts';
import { stableHash } from '#src/base/lib/stableHash.ts';
import type { ArtifactStore } from '#src/base/platform/artifacts/artifactStore.ts';
import type { StudyReport } from '#src/studies/verdicts/studyReport.ts';
import { newestFingerprints } from '#src/datasets/store/datasetRecord.ts';
import { digestConfigurationRuns } from '#src/studies/store/runDigests.ts';
import { hasKnownContent } from '#src/runs/rightFingerprints.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { type ArmUses, armUses } from './armUses.ts';
import { type ReportOptions, studyReport } from './studyReports.ts';

type Context = Pick<ServiceContext, 'db'> & { artifacts: ArtifactStore };

/** Characters of the reports that are kept, as JSON: several times those of all studies. */
const MOST_KEPT = 10_000_000;

/** By the study and the digest of all that its report is made of: what is here never goes stale. */
const kept = createBoundedCache<string, StudyReport>(MOST_KEPT);

/**
 * What the runs say of each of the studies, as of now. One query says which of them have other runs than before; only these are
 * read and judged anew.
 */
export async function rememberedReports(
  context: Context,
  studies: readonly Study[],
  options: ReportOptions = {},
): Promise<StudyReport[]> {
  const project = options.project ?? null;
  const uses = new Map<Study, ArmUses>();
  for (const study of studies) uses.set(study, await armUses(study));
  const keys = await keysOf(context, uses, project);
  const made: { study: Study; key: string; report: StudyReport }[] = [];
  const reports: StudyReport[] = [];
  for (const study of studies) {
    const key = keys.get(study)!;
    const known = kept.get(key);
    let isPassing = false;
    const onPassing = () => (isPassing = true);
    const report = known ?? (await studyReport(context, study, { ...options, onPassing }));
    if (known === undefined && !isPassing) made.push({ study, key, report });
    reports.push(report);
  }
  await remember(context, { made, uses, project });
  return reports;
}

/** Keeps reports whose runs were the same before and after they were read. */
async function remember(
  context: Context,
  of: {
    made: readonly { study: Study; key: string; report: StudyReport }[];
    uses: ReadonlyMap<Study, ArmUses>;
    project: string | null;
  },
): Promise<void> {
  if (of.made.length === 0) return;
  const after = await keysOf(context, new Map(of.made.map(({ study }) => [study, of.uses.get(study)!])), of.project);
  for (const { study, key, report } of of.made) {
    if (after.get(study) === key) kept.set(key, report, JSON.stringify(report).length);
  }
}

async function keysOf(
  { db }: Context,
  uses: ReadonlyMap<Study, ArmUses>,
  project: string | null,
): Promise<Map<Study, string>> {
  const groups = [...uses.values()].map((one) => [...one.keys()]);
  const digests = await digestConfigurationRuns(db, groups, project);
  const named = [...uses].map(([study, one]) => ({ study, names: openDatasets(one) }));
  const newest = await newestFingerprints(db, [...new Set(named.flatMap(({ names }) => names))]);
  return new Map(
    named.map(({ study, names }, index) => {
      const contents = names.map((name) => newest.get(name) ?? null);
      // two studies of one name are told apart by their configurations, as those of tests are
      return [study, stableHash([study.name, groups[index], digests[index], contents])];
    }),
  );
}

/** Datasets whose right content is the one that was met last. */
function openDatasets(uses: ArmUses): string[] {
  const names = [...uses.values()]
    .flat()
    .flatMap(({ arm, budget }) => armConfiguration(arm, budget).dataset?.name ?? []);
  return [...new Set(names)].filter((name) => !hasKnownContent(name));
}
