import type {
  ArtifactPanel,
  CurveSeries,
  FigureAxis,
  FigurePanel,
  FigureSeries,
  PlotPanel,
  PointSeries,
  Study,
  StudyValue,
} from '#src/catalog/studies/study.ts';
import { invariant } from '#src/base/lib/invariant.ts';
import { canonicalJson } from '#src/base/lib/stableHash.ts';
import { summarizeReplicates } from '#src/statistics/replicates.ts';
import { type ArmRuns, type StudyRun, whyUnfinished } from './armRuns.ts';
import { measureValue } from './measureValue.ts';
import type { FigurePanelReport, FigurePointReport, FigureReport, FigureSeriesReport } from './studyReport.ts';
import { testComparison, type UserTestOf } from './testComparison.ts';

/** What figures are drawn from. */
export interface Drawn {
  arms: ReadonlyMap<string, ArmRuns>;
  userTest: UserTestOf;
  /** A streamed metric of a run, by step; null where it was not read. */
  curveOf: (run: StudyRun, metric: string) => Curve | null;
  /** Id of an artifact of a run; null where it left none of that name. */
  artifactOf: (run: StudyRun, name: string) => string | null;
}

export interface Curve {
  steps: readonly number[];
  values: readonly number[];
}

/** The figures of a study, from the runs that have finished. */
export function figureReports(study: Study, drawn: Drawn): FigureReport[] {
  return (study.figures ?? []).map(({ name, title, shows, panels }) => ({
    name,
    title,
    shows,
    panels: panels.map((panel) => panelReport(panel, drawn)),
  }));
}

function panelReport(panel: FigurePanel, drawn: Drawn): FigurePanelReport {
  return 'artifact' in panel ? picturePanel(panel, drawn) : plotPanel(panel, drawn);
}

function picturePanel({ title, arm, artifact }: ArtifactPanel, { arms, artifactOf }: Drawn): FigurePanelReport {
  const run = arms.get(arm)?.finished[0];
  const artifactId = run === undefined ? null : artifactOf(run, artifact);
  const axis = { label: '', logarithmic: false };
  const reference = run === undefined ? null : { id: run.id, number: run.number, seed: run.seed };
  const picture = artifactId === null || reference === null ? null : { artifactId, name: artifact, run: reference };
  return { title, form: 'picture', x: axis, y: axis, series: [], picture };
}

function plotPanel({ title, form, x, y, series }: PlotPanel, drawn: Drawn): FigurePanelReport {
  const axis = ({ label, logarithmic = false }: FigureAxis) => ({ label, logarithmic });
  const drawnSeries = series.map((one) => seriesReport(one, { scale: y.scale ?? 1, isLine: form === 'line', drawn }));
  const isMixed = drawnSeries.some(({ hasShortened }) => hasShortened) && drawnSeries.some(({ hasWhole }) => hasWhole);
  return {
    title: isMixed ? `${title} (some runs are shortened and some whole: not to be compared)` : title,
    form,
    x: axis(x),
    y: axis(y),
    picture: null,
    series: drawnSeries.map(({ hasShortened, hasWhole: _, ...one }) => ({ ...one, shortened: hasShortened })),
  };
}

/** A series, and which sorts of runs its points are from. */
type DrawnSeries = Omit<FigureSeriesReport, 'shortened'> & { hasShortened: boolean; hasWhole: boolean };

function seriesReport(series: FigureSeries, of: { scale: number; isLine: boolean; drawn: Drawn }): DrawnSeries {
  return 'curve' in series ? curveSeries(series, of) : pointSeries(series, of);
}

function pointSeries(
  { label, points }: PointSeries,
  { scale, isLine, drawn }: { scale: number; isLine: boolean; drawn: Drawn },
): DrawnSeries {
  const reasons: string[] = [];
  const sorts = { hasShortened: false, hasWhole: false };
  const budgets = points.map(({ value }) => budgetOf(value, drawn.arms));
  const chosen = mostFrequent(budgets.flatMap((budget) => budget ?? []));
  const own = points.map(({ x, value, printed = null }, index): FigurePointReport => {
    const budget = budgets[index] ?? null;
    const found =
      isLine && budget !== null && budget !== chosen
        ? { missing: OTHER_BUDGET }
        : 'comparison' in value
          ? compared(testComparison(value.comparison, drawn.arms, drawn.userTest))
          : measureValue(value, drawn.arms);
    if ('missing' in found) {
      reasons.push(found.missing);
      return { x, mean: null, standardDeviation: null, n: 0, printed };
    }
    sorts[found.shortened ? 'hasShortened' : 'hasWhole'] = true;
    return { x, ...summarizeReplicates([...found.bySeed.values()].map((one) => one * scale)), printed };
  });
  return { label, points: own, ...sorts, reason: reasonOf(reasons, points.length) };
}

/** What is drawn as one line had one budget: points of another one are gaps. */
const OTHER_BUDGET = 'it had another budget than the rest of the line';

/** What the finished runs behind a value had less than the paper, as a text that is equal where that is; null without runs. */
function budgetOf(value: StudyValue, arms: Drawn['arms']): string | null {
  if ('comparison' in value) return null;
  const budgets = ('parts' in value ? value.parts : [value]).map(({ arm }) => {
    const found = arms.get(arm);
    if (found === undefined || found.finished.length === 0) return null;
    const { parameters = {}, dataset = {} } = found.shortened ? (found.arm.quick ?? {}) : {};
    return canonicalJson([found.shortened, parameters, dataset]);
  });
  return budgets.includes(null) ? null : budgets.join(' ');
}

function mostFrequent(texts: readonly string[]): string | null {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  const most = Math.max(...counts.values());
  return [...counts].find(([, count]) => count === most)?.[0] ?? null;
}

function compared(tested: { p: number | null; reason: string; shortened: boolean }) {
  if (tested.p === null) return { missing: tested.reason };
  return { bySeed: new Map([[0, tested.p]]), shortened: tested.shortened };
}

function reasonOf(reasons: readonly string[], count: number): string {
  const [first] = reasons;
  if (first === undefined) return '';
  return reasons.length === 1 ? first : `${reasons.length} of ${count} points are missing: ${first}`;
}

/** The mean over the seeds at each step that all of them have. */
function curveSeries({ label, curve }: CurveSeries, { scale, drawn }: { scale: number; drawn: Drawn }): DrawnSeries {
  const found = drawn.arms.get(curve.arm);
  invariant(found !== undefined, `there is no arm ${curve.arm}`);
  const why = whyUnfinished(found);
  const curves = found.finished.flatMap((run) => drawn.curveOf(run, curve.metric) ?? []);
  const [first] = curves;
  if (first === undefined) {
    return {
      label,
      points: [],
      hasShortened: false,
      hasWhole: false,
      reason: why ?? `its runs left no ${curve.metric}`,
    };
  }
  const byStep = curves.map(({ steps, values }) => new Map(steps.map((step, index) => [step, values[index]!])));
  const points = first.steps.flatMap((step): FigurePointReport[] => {
    const values = byStep.flatMap((of) => of.get(step) ?? []);
    if (values.length < curves.length || !values.every(Number.isFinite)) return [];
    return [{ x: step, ...summarizeReplicates(values.map((value) => value * scale)), printed: null }];
  });
  return { label, points, hasShortened: found.shortened, hasWhole: !found.shortened, reason: '' };
}
