import type { z } from 'zod';
import type { ClassifiedSeries } from '../data/series/seriesData.ts';
import { gridOf } from '#src/catalog/parameters/rntkGrids.ts';
import type { rntkClassificationParameters } from '#src/catalog/kinds/rntkClassification.ts';
import type { Figure } from '../figures/figure.ts';
import { csvText } from '../figures/figureTable.ts';
import { jsonText, reportFigure } from '../figures/reportFigure.ts';
import { NumericThreads } from '#workers/wasm/threads/numericThreads.ts';
import { classifiedSeries, classifySeries, type SeriesClassification } from './series/classifySeries.ts';
import type { Experiment, ExperimentContext, Reporter } from './experiment.ts';
import { type GridProgress, gridProgress } from './series/validateGrid.ts';

/** The two hyperparameters of a kernel that its map shows, C standing for one where the kernel has a single one. */
const MAP_AXES = {
  rntk: ['sigmaW', 'sigmaB'],
  ntk: ['layers', 'sigmaW'],
  rbf: ['alpha', 'C'],
  polynomial: ['degree', 'offset'],
} as const;

type Parameters = z.output<typeof rntkClassificationParameters>;

/**
 * RNTK, Section 4 and A.1, one cell of Table 2: a C-SVM on a kernel between series x, x' of unit norm, the RNTK Θ(x, x') or one
 * that it is compared with. The kernel's hyperparameters (σ_w, σ_u, σ_b, σ_h of the RNTK) and C are chosen by cross-validation on
 * the training series.
 *
 * Metrics: `valid/accuracy` and `test/accuracy` at step 0 are means over the assignments of series to folds; those of assignment d
 * stand at step d, from 1, of `fold-assignment/valid-accuracy` and `fold-assignment/test-accuracy`.
 */
export const rntkClassification: Experiment<Parameters> = async (context) => {
  const { parameters, reporter, cancellation } = context;
  const { kernel, costs, folds, foldSeeds, tolerance, ties } = parameters;
  const data = classifiedSeries(await context.data.series(context.data.name ?? ''));
  const engine = await NumericThreads.openIfBuilt(context.compute.threads);
  const plan = { kernel, grid: gridOf(kernel, parameters), costs, folds, foldSeeds, tolerance, ties };
  let found: SeriesClassification;
  try {
    found = classifySeries(data, {
      ...plan,
      seed: context.seed,
      engine,
      done: earlierProgress(context),
      keep: (progress) => reporter.checkpoint(progress.points, Buffer.from(JSON.stringify(progress))),
      pulse: () => cancellation.throwIfCancelled(),
      progress: (fraction, message) => reporter.progress(fraction * 0.99, message),
    });
  } finally {
    await engine?.close();
  }
  await report(context, data, found);
};

async function report(
  { parameters, reporter }: ExperimentContext<Parameters>,
  { name, train }: ClassifiedSeries,
  found: SeriesClassification,
): Promise<void> {
  for (const [phase, seconds] of Object.entries(found.seconds)) reporter.timing(phase, seconds);
  for (const [assignment, machine] of found.selected.entries()) {
    reporter.metric('fold-assignment/valid-accuracy', assignment + 1, machine.validAccuracy);
    reporter.metric('fold-assignment/test-accuracy', assignment + 1, machine.testAccuracy);
  }
  reporter.metric('valid/accuracy', 0, found.validAccuracy);
  reporter.metric('test/accuracy', 0, found.testAccuracy);
  reporter.note('selected', found.selected);
  reporter.note('kernels', found.points.length);
  if (found.givenUp > 0) {
    reporter.log(
      'warn',
      `${found.givenUp} two-class problems of the grid were given up before they reached the tolerance`,
    );
  }
  for (const { indefinite } of found.selected) if (indefinite !== null) reporter.log('warn', indefinite);
  const count = train.labels.length;
  reportGrid(reporter, found, { costs: parameters.costs, train: count });
  const title = `${name}, ${parameters.kernel}: validation accuracy, the best over what is not shown`;
  await reportFigure(reporter, 'selection', { figure: selectionMap(found, { parameters, train: count, title }) });
  reporter.progress(1, `test accuracy ${(100 * found.testAccuracy).toFixed(2)} %`);
}

/** Best validation accuracy, mean over the assignments, at each pair of two hyperparameters. */
function selectionMap(
  found: SeriesClassification,
  { parameters, train, title }: { parameters: Parameters; train: number; title: string },
): Figure {
  const { costs, kernel } = parameters;
  const [xName, yName] = MAP_AXES[kernel];
  const valueAt = (name: string, at: number): number =>
    name === 'C' ? costs[at % costs.length]! : (found.points[Math.floor(at / costs.length)]![name] ?? Number.NaN);
  const count = found.points.length * costs.length;
  const distinct = (name: string): number[] =>
    [...new Set(Array.from({ length: count }, (_, at) => valueAt(name, at)))].sort((a, b) => a - b);
  const [xs, ys] = [distinct(xName), distinct(yName)];
  const values = ys.map(() => xs.map(() => 0));
  for (let at = 0; at < count; at++) {
    const accuracy = found.correct.reduce((sum, counts) => sum + counts[at]!, 0) / (found.correct.length * train);
    const row = values[ys.indexOf(valueAt(yName, at))]!;
    const column = xs.indexOf(valueAt(xName, at));
    row[column] = Math.max(row[column]!, accuracy);
  }
  const short = (value: number): string => String(Number(value.toPrecision(4)));
  return {
    form: 'heat-map',
    title,
    x: { title: xName, categories: xs.map(short) },
    y: { title: yName, categories: ys.map(short) },
    valueTitle: 'accuracy',
    values,
  };
}

function reportGrid(
  reporter: Reporter,
  found: SeriesClassification,
  { costs, train }: { costs: readonly number[]; train: number },
): void {
  const names = Object.keys(found.points[0] ?? {});
  const assignments = found.correct.map((_, assignment) => `valid_accuracy_${assignment + 1}`);
  const rows = found.points.flatMap((point, p) =>
    costs.map((cost, c) => [
      ...names.map((name) => point[name]!),
      cost,
      ...found.correct.map((counts) => counts[p * costs.length + c]! / train),
    ]),
  );
  reporter.artifact('grid.csv', Buffer.from(csvText([[...names, 'C', ...assignments], ...rows])), 'text/csv');
  reporter.artifact('selected.json', Buffer.from(jsonText(found.selected)), 'application/json');
}

function earlierProgress({ checkpoint, reporter }: ExperimentContext<Parameters>): GridProgress | null {
  if (checkpoint === null) return null;
  const parsed = gridProgress.safeParse(JSON.parse(Buffer.from(checkpoint.bytes).toString('utf8')));
  if (parsed.success) return parsed.data;
  reporter.log('warn', `the checkpoint of step ${checkpoint.step} cannot be used: the grid starts anew`);
  return null;
}
