import type { CurveFigure, FigureCurve } from '#workers/figures/figure.ts';
import { csvText } from '#workers/figures/figureTable.ts';
import { reportFigure } from '#workers/figures/reportFigure.ts';
import type { Reporter } from '../experiment.ts';
import type { MetricRecord } from './metricRecord.ts';

export interface WidthStudy {
  record: MetricRecord;
  /** Ascending. */
  widths: readonly number[];
  cutoffs: readonly number[];
  datasetName: string;
}

/**
 * The figures of a study of widths, and its table as `widths.csv`. `figure-1` (also Figure 4's right column): NDCG of the test
 * items by width; `figure-4-mrr` and `figure-4-loss`: the other columns; `epochs-…`: the curves of each width by epoch.
 */
export async function reportWidths(reporter: Reporter, study: WidthStudy): Promise<void> {
  const { cutoffs, record, widths, datasetName } = study;
  const cutoff = cutoffs.includes(10) ? 10 : Math.max(...cutoffs);
  const draw = (name: string, figure: CurveFigure) => reportFigure(reporter, name, { figure });
  await draw('figure-1', widthFigure(study, 'ndcg', cutoff));
  await draw('figure-4-mrr', widthFigure(study, 'mrr', cutoff));
  const losses = record.series('train/loss');
  await draw('figure-4-loss', {
    form: 'curves',
    title: `Training loss by width: ${datasetName}`,
    x: { title: 'width n', scale: 'log' },
    y: { title: 'training loss' },
    series: [
      epochDots(study, 'train/loss'),
      { form: 'line', name: 'last epoch', x: widths, y: widths.map((width) => losses.get(width)!) },
    ],
  });
  await draw('epochs-ndcg', epochFigure(study, `test/ndcg@${cutoff}`, `Test NDCG@${cutoff}`));
  await draw('epochs-loss', epochFigure(study, 'train/loss', 'Training loss'));
  reporter.artifact('widths.csv', Buffer.from(csvText(widthTable(study))), 'text/csv');
}

/** A test metric by width: every validated epoch as a dot, the chosen and the last epoch as lines, OverRec dashed. */
function widthFigure(study: WidthStudy, metric: 'ndcg' | 'mrr', cutoff: number): CurveFigure {
  const { record, widths, datasetName } = study;
  const name = `${metric}@${cutoff}`;
  const title = `${metric.toUpperCase()}@${cutoff}`;
  const line = (series: string, label: string): FigureCurve => {
    const values = record.series(series);
    return { form: 'line', name: label, x: widths, y: widths.map((width) => values.get(width)!) };
  };
  const [kernel] = record.series(`overrec/${name}`).values();
  const ends = [widths[0]!, widths.at(-1)!];
  const limit: FigureCurve[] =
    kernel === undefined
      ? []
      : [{ form: 'line', name: 'OverRec (RNTK)', x: ends, y: [kernel, kernel], isDashed: true }];
  return {
    form: 'curves',
    title: `Test ${title} by width: ${datasetName}`,
    x: { title: 'width n', scale: 'log' },
    y: { title },
    series: [
      epochDots(study, `test/${name}`),
      line(`best/${name}`, 'best validation'),
      line(`last/${name}`, 'last epoch'),
      ...limit,
    ],
  };
}

/** Every epoch's value over its width. */
function epochDots({ record, widths }: WidthStudy, metric: string): FigureCurve {
  const dots = widths.flatMap((width) => [...record.series(`w${width}/${metric}`).values()].map((y) => ({ width, y })));
  return { form: 'points', name: 'one epoch', x: dots.map(({ width }) => width), y: dots.map(({ y }) => y) };
}

function epochFigure({ record, widths, datasetName }: WidthStudy, metric: string, title: string): CurveFigure {
  return {
    form: 'curves',
    title: `${title} by epoch: ${datasetName}`,
    x: { title: 'epoch' },
    y: { title },
    series: widths.map((width) => {
      const values = record.series(`w${width}/${metric}`);
      return { form: 'line', name: `n = ${width}`, x: [...values.keys()], y: [...values.values()] };
    }),
  };
}

/** One row a width, all that stands at widths as steps. */
function widthTable({ record, widths }: WidthStudy): (string | number)[][] {
  const names = ['trained-numbers', 'time/width', 'train/loss', ...record.names('best/'), ...record.names('last/')];
  return [
    ['width', ...names],
    ...widths.map((width) => [width, ...names.map((name) => record.series(name).get(width)!)]),
  ];
}
