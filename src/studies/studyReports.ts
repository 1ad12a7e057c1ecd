import type { Study, StudyComparison } from '#src/catalog/studies/study.ts';
import type { ArtifactStore } from '#src/base/platform/artifacts/artifactStore.ts';
import { listArtifacts, type ArtifactRecord } from '#src/artifacts/store/artifactRecord.ts';
import { armRuns, type ArmRuns, type StudyRun } from '#src/studies/verdicts/armRuns.ts';
import { buildReport } from '#src/studies/verdicts/buildReport.ts';
import type { Curve } from '#src/studies/verdicts/figureReports.ts';
import { curvesOf, panelsOf, comparisonsOf } from '#src/studies/verdicts/studyNeeds.ts';
import type { StudyReport } from '#src/studies/verdicts/studyReport.ts';
import { metricHistory } from '#src/metrics/metricHistory.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { readStudyRuns } from './readStudyRuns.ts';
import { metricDirection } from '#src/catalog/metricDirection.ts';
import { WarrenError } from '#src/base/contracts/errors.ts';
import { invariant } from '#src/base/lib/invariant.ts';
import { findConfigurations } from '#src/runs/store/configurationRecord.ts';
import { findRunsById, type RunRecord } from '#src/runs/store/runRecord.ts';
import { pairsOf, type UserTest, type UserTestOf } from '#src/studies/verdicts/testComparison.ts';
import { parseUserMetricName } from '#src/statistics/userMetricName.ts';
import type { ComparedMetric, ReplicateGroup } from '#src/comparisons/compareRuns.ts';
import { whyNotComparable } from '#src/comparisons/comparedEnvironments.ts';
import { userTests } from '#src/comparisons/userTests.ts';

type Context = Pick<ServiceContext, 'db'> & { artifacts: ArtifactStore };

/** Tests that were made, by the runs and the metric: what ended runs left does not change. */
const made = new Map<string, UserTest>();
const MOST_MADE = 2_000;

const NO_TEST: UserTest = {
  test: null,
  n: 0,
  seeds: [],
  baselineSeeds: [],
  about: 'methods',
  notComparable: null,
  reason: null,
};

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
 * Makes the tests over users and seeds that the comparisons of a study need: those of two arms in a metric of users. What could
 * be read of no users says why.
 * @param options.signal Ends the work when it is aborted.
 * @param options.onPassing Hears of tests that took too long or too much, or whose files could not be read just now: they may
 *   be made another time, and are not remembered.
 */
async function studyUserTests(
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
  const passing = new Map<string, UserTest>();
  if (missing.length > 0) {
    const known = await readCompared(context, missing);
    for (const batch of batchesOf(missing)) await testBatch(context, batch, { known, passing, signal });
  }
  if (passing.size > 0) onPassing?.();
  while (made.size > MOST_MADE) made.delete(made.keys().next().value ?? '');
  return (above, below, metric) => {
    const key = keyOf(above, below, metric);
    return made.get(key) ?? passing.get(key) ?? null;
  };
}

/** The runs of a comparison of two arms in a metric that is a mean over users; null for others. */
function pairOf(comparison: StudyComparison, arms: ReadonlyMap<string, ArmRuns>): Pair | null {
  const { metric, belowMetric = metric } = comparison;
  const [names, ...others] = pairsOf(comparison);
  if (names === undefined || others.length > 0 || metric !== belowMetric || parseUserMetricName(metric) === null)
    return null;
  const [above = [], below = []] = names.map((name) => sideOf(arms.get(name), metric));
  return above.length === 0 || below.length === 0 ? null : { above, below, metric };
}

/** As `measureValue` has it: one run says everything of an arm without randomness, and runs without the metric say nothing. */
function sideOf(found: ArmRuns | undefined, metric: string): readonly StudyRun[] {
  const deterministic = found?.arm.deterministic === true;
  const finished = found?.finished.filter(({ metrics }) => metrics.get(metric)?.last != null) ?? [];
  return deterministic ? finished.slice(-1) : finished;
}

/** Several against one baseline, each in all of the metrics: what runs left of each user is read once for all of them. */
interface Batch {
  sides: readonly (readonly StudyRun[])[];
  below: readonly StudyRun[];
  metrics: readonly string[];
}

function batchesOf(pairs: readonly Pair[]): Batch[] {
  const compared = new Map<string, { above: readonly StudyRun[]; below: readonly StudyRun[]; metrics: Set<string> }>();
  for (const { above, below, metric } of pairs) {
    const key = `${idsOf(above)} ${idsOf(below)}`;
    const known = compared.get(key);
    if (known === undefined) compared.set(key, { above, below, metrics: new Set([metric]) });
    else known.metrics.add(metric);
  }
  const batches = new Map<string, Batch>();
  for (const { above, below, metrics } of compared.values()) {
    const names = [...metrics].sort();
    const key = `${idsOf(below)} ${names.join(' ')}`;
    const sides = batches.get(key)?.sides ?? [];
    batches.set(key, { sides: [...sides, above], below, metrics: names });
  }
  return [...batches.values()];
}

/** What the database says of the runs of all comparisons of a study. */
interface Compared {
  runs: readonly RunRecord[];
  artifacts: readonly ArtifactRecord[];
  groupOf: (chosen: readonly StudyRun[]) => ReplicateGroup;
}

async function readCompared({ db }: Context, pairs: readonly Pair[]): Promise<Compared> {
  const ids = [...new Set(pairs.flatMap(({ above, below }) => [...above, ...below]).map(({ id }) => id))];
  const [runs, artifacts] = await Promise.all([findRunsById(db, ids), listArtifacts(db, ids)]);
  const configurations = await findConfigurations(db, [...new Set(runs.map((run) => run.configurationHash))]);
  const groupOf = (chosen: readonly StudyRun[]): ReplicateGroup => {
    const hash = runs.find(({ id }) => id === chosen[0]?.id)?.configurationHash;
    const configuration = configurations.find((one) => one.hash === hash);
    invariant(configuration !== undefined, 'a run has its configuration');
    return { configuration, runIds: chosen.map(({ id }) => id), seeds: chosen.map(({ seed }) => seed), metrics: [] };
  };
  return { runs, artifacts, groupOf };
}

async function testBatch(
  context: Context,
  { sides, below, metrics }: Batch,
  { known, passing, signal }: { known: Compared; passing: Map<string, UserTest>; signal: AbortSignal | undefined },
): Promise<void> {
  const ids = new Set([below, ...sides].flat().map(({ id }) => id));
  const runs = known.runs.filter(({ id }) => ids.has(id));
  const compared = metrics.map(
    (name): ComparedMetric => ({
      ...{ name, direction: metricDirection(name), final: [], best: [] },
      ...{ rules: [], chosenOnTest: false },
    }),
  );
  const tests = await userTests(
    context,
    { runs, fields: [], metrics: compared, groups: [] },
    {
      groups: sides.map(known.groupOf),
      baseline: known.groupOf(below),
      metrics: compared,
      // studies tell the t-test alone
      signedRanks: false,
      artifacts: known.artifacts,
      signal,
    },
  ).catch((error: unknown) => {
    // what takes too long or too much says so in the page, and the rest of it is shown
    if (error instanceof WarrenError && error.code === 'TOO_LARGE') return error;
    throw error;
  });
  const runsOf = (chosen: readonly StudyRun[]) => chosen.flatMap(({ id }) => runs.find((run) => run.id === id) ?? []);
  for (const [index, above] of sides.entries()) {
    for (const metric of compared) {
      const key = keyOf(above, below, metric.name);
      if (tests instanceof WarrenError) passing.set(key, { ...NO_TEST, reason: tests.message });
      else {
        const told = tests.get(metric)?.[index] ?? null;
        const kept = told?.passing === true ? passing : made;
        const both = [...above, ...below];
        const reasons = whyNotComparable(
          { runs: runsOf(both), fields: [] },
          both.map(({ environment }) => environment),
        );
        const guard = reasons.join('; ');
        kept.set(key, told === null ? NO_TEST : { ...told, notComparable: guard === '' ? null : guard });
      }
    }
  }
}

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
