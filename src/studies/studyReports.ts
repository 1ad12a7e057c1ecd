import type { Study } from '#src/catalog/studies/study.ts';
import type { ArtifactStore } from '#src/base/platform/artifacts/artifactStore.ts';
import { listArtifacts } from '#src/artifacts/store/artifactRecord.ts';
import { armRuns, type ArmRuns, type StudyRun } from '#src/studies/verdicts/armRuns.ts';
import { buildReport } from '#src/studies/verdicts/buildReport.ts';
import type { Curve } from '#src/studies/verdicts/figureReports.ts';
import { curvesOf, panelsOf } from '#src/studies/verdicts/studyNeeds.ts';
import type { StudyReport } from '#src/studies/verdicts/studyReport.ts';
import { metricHistory } from '#src/metrics/metricHistory.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { readStudyRuns } from './readStudyRuns.ts';
import { studyUserTests } from './studyUserTests.ts';

export interface ReportOptions {
  /** Only runs of this project. */
  project?: string | null | undefined;
  /** Ends tests over users when it is aborted. */
  signal?: AbortSignal | undefined;
  /** Hears that the report says of tests that they took too long or too much, which may be otherwise another time. */
  onPassing?: (() => void) | undefined;
}

/** Of a curve in a figure. */
const CURVE_POINTS = 200;

/** What the runs say of a study, as of now. */
export async function studyReport(
  context: Pick<ServiceContext, 'db'> & { artifacts: ArtifactStore },
  study: Study,
  { project = null, signal, onPassing }: ReportOptions = {},
): Promise<StudyReport> {
  const runs = await readStudyRuns(context.db, study, project);
  const arms = armRuns(study, runs);
  const userTest = await studyUserTests(context, study, { arms, signal, onPassing });
  const curves = await readCurves(context, study, arms);
  const artifacts = await readPictures(context, study, arms);
  return buildReport(study, runs, {
    userTest,
    curveOf: (run, metric) => curves.get(`${run.id} ${metric}`) ?? null,
    artifactOf: (run, name) => artifacts.get(`${run.id} ${name}`) ?? null,
  });
}

async function readCurves(
  context: Pick<ServiceContext, 'db'>,
  study: Study,
  arms: ReadonlyMap<string, ArmRuns>,
): Promise<Map<string, Curve>> {
  const drawn = curvesOf(study);
  const runs = new Set<StudyRun>(drawn.flatMap(({ curve }) => arms.get(curve.arm)?.finished ?? []));
  const names = [...new Set(drawn.map(({ curve }) => curve.metric))];
  if (runs.size === 0) return new Map();
  const runIds = [...runs].map(({ id }) => id);
  const columns = await metricHistory(context, { runIds, names, maxPoints: CURVE_POINTS });
  return new Map(columns.map(({ runId, name, steps, values }) => [`${runId} ${name}`, { steps, values }]));
}

async function readPictures(
  { db }: Pick<ServiceContext, 'db'>,
  study: Study,
  arms: ReadonlyMap<string, ArmRuns>,
): Promise<Map<string, string>> {
  const runs = panelsOf(study).flatMap((panel) =>
    'artifact' in panel ? (arms.get(panel.arm)?.finished.slice(0, 1) ?? []) : [],
  );
  const artifacts = await listArtifacts(db, [...new Set(runs.map(({ id }) => id))]);
  return new Map(artifacts.map(({ id, runId, name }) => [`${runId} ${name}`, id]));
}
