import { STUDY_OF, type StudyArm, type SevoStudyName } from '#src/catalog/presets/sevoStudies.ts';
import type { CurveFigure } from '#workers/figures/figure.ts';
import { reportFigure } from '#workers/figures/reportFigure.ts';
import type { Reporter } from '../experiment.ts';
import type { MetricRecord } from './metricRecord.ts';

export interface StudyResults {
  study: SevoStudyName;
  /** Metrics by `arm/name`. */
  record: MetricRecord;
  cutoff: number;
  datasetName: string;
}

/** The figures of a study: curves by epoch, one figure a metric; or hit rate and NDCG of the test items, also beside maps. */
export async function reportStudy(reporter: Reporter, results: StudyResults): Promise<void> {
  const { figure } = STUDY_OF[results.study];
  if (figure.form === 'epochs') {
    for (const metric of figure.metrics) {
      const name = metric.replace('/', '-');
      await reportFigure(reporter, name, { figure: epochFigure(results, metric) });
    }
    return;
  }
  for (const metric of ['ndcg', 'hr'] as const) {
    const name = `test-${metric}`;
    await reportFigure(reporter, name, {
      figure: figure.form === 'line' ? lineFigure(results, metric, figure.x) : barFigure(results, metric),
    });
  }
}

function titleOf({ study, datasetName }: StudyResults): string {
  const { source, words } = STUDY_OF[study];
  return `SEvo ${source}, ${words}: ${datasetName}`;
}

function epochFigure(results: StudyResults, metric: string): CurveFigure {
  const { study, record } = results;
  return {
    form: 'curves',
    title: titleOf(results),
    x: { title: 'epoch' },
    y: { title: metric, ...(metric.startsWith('smoothness/') ? { scale: 'log' } : {}) },
    series: STUDY_OF[study].arms.map(({ name, label }) => {
      const series = record.series(`${name}/${metric}`);
      return { form: 'line', name: label, x: [...series.keys()], y: [...series.values()] };
    }),
  };
}

/** The test metric of an arm; NaN, a gap, where its training diverged. */
function tested({ record, cutoff }: StudyResults, arm: StudyArm, metric: 'ndcg' | 'hr'): number {
  return [...record.series(`${arm.name}/test/${metric}@${cutoff}`).values()].at(-1) ?? Number.NaN;
}

function barFigure(results: StudyResults, metric: 'ndcg' | 'hr'): CurveFigure {
  const { arms } = STUDY_OF[results.study];
  const title = `test ${metric.toUpperCase()}@${results.cutoff}`;
  return {
    form: 'curves',
    title: titleOf(results),
    x: { title: '', scale: 'category', categories: arms.map(({ label }) => label) },
    y: { title },
    series: [{ form: 'bars', name: title, values: arms.map((arm) => tested(results, arm, metric)) }],
  };
}

function lineFigure(results: StudyResults, metric: 'ndcg' | 'hr', x: string): CurveFigure {
  const { arms } = STUDY_OF[results.study];
  const names = [...new Set(arms.map(({ series, label }) => series ?? label))];
  return {
    form: 'curves',
    title: titleOf(results),
    x: { title: x },
    y: { title: `test ${metric.toUpperCase()}@${results.cutoff}` },
    series: names.map((name) => {
      const own = arms.filter(({ series, label }) => (series ?? label) === name);
      return {
        form: 'line',
        name,
        x: own.map((arm) => arm.x ?? Number.NaN),
        y: own.map((arm) => tested(results, arm, metric)),
      };
    }),
  };
}
