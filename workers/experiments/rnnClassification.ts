import { z } from 'zod';
import type { RnnClassificationParameters } from '#src/catalog/kinds/rnnClassification.ts';
import { rntkTable2 } from '#src/catalog/published/rntkTables.ts';
import { chosenSeries, type NetworkSeries, networkSeries } from '../data/series/networkSeries.ts';
import { stratifiedFolds } from '../data/split/stratifiedFolds.ts';
import type { Figure } from '../figures/figure.ts';
import { csvText } from '../figures/figureTable.ts';
import { jsonText, reportFigure } from '../figures/reportFigure.ts';
import { randomGenerator } from '../math/random/randomGenerator.ts';
import { chooseFromGrid } from './series/chooseFromGrid.ts';
import { classifiedSeries } from './series/classifySeries.ts';
import type { Experiment, ExperimentContext } from './experiment.ts';
import { type NetworkPoint, type TrainedSeriesNetwork, trainSeriesNetwork } from './series/seriesNetworkTraining.ts';

type Context = ExperimentContext<RnnClassificationParameters>;

/** One network of the cross-validation. */
const cellSchema = z.object({
  layers: z.int(),
  width: z.int(),
  learningRate: z.number(),
  fold: z.int().min(0),
  right: z.int().min(0),
  bestEpoch: z.int().min(0),
  epochs: z.int().min(0),
  hasDiverged: z.boolean(),
});
type Cell = z.output<typeof cellSchema>;

interface CrossValidation {
  context: Context;
  train: NetworkSeries;
  classes: number;
  /** The combinations of layers L, width n and learning rate. */
  points: readonly NetworkPoint[];
  /** (series) The fold in which each is held out. */
  foldOf: Uint32Array;
  folds: number;
  /** Networks that are trained. */
  cells: Cell[];
}

/** The columns of the paper's tables. */
const PUBLISHED = { 'rnn-gaussian': 'gaussian-rnn', 'rnn-identity': 'identity-rnn', gru: 'gru' } as const;

/**
 * RNTK, Section 4 and A.1, one cell of Table 2 for a finite network (RNN or GRU): layers, width n and learning rate are chosen by
 * cross-validation on the training series, and the networks of the best combination predict the test series.
 *
 * Metrics: `valid/accuracy` (share of all held-out series, each fold at its best epoch) and `test/accuracy` at step 0;
 * `grid/valid-accuracy` at the place of the combination, from 1; of the networks that are tested `fold<k>/train/loss`, or
 * `train/loss`, by epoch. Checkpoints hold the finished networks of the cross-validation and stand at step 0: whoever goes on
 * from one reports all of the grid again.
 */
export const rnnClassification: Experiment<RnnClassificationParameters> = async (context) => {
  const { scaling } = context.parameters;
  const data = classifiedSeries(await context.data.series(context.data.name ?? ''));
  const train = networkSeries(data.train, { name: data.name, scaling });
  const test = networkSeries(data.test, { name: data.name, scaling });
  await context.compute.openTensorBackend();
  const study = openCrossValidation(context, train, data.classes.length);
  await crossValidate(study);
  const choice = bestPoint(study);
  const tested = await testNetworks(study, choice.point, test);
  await report(study, choice, { ...tested, name: data.name, testCount: test.labels.length });
};

function openCrossValidation(context: Context, train: NetworkSeries, classes: number): CrossValidation {
  const { layers, widths, learningRates, folds: most } = context.parameters;
  const points = layers.flatMap((depth) =>
    widths.flatMap((width) => learningRates.map((learningRate) => ({ layers: depth, width, learningRate }))),
  );
  const folds = Math.min(most, train.labels.length);
  const foldOf = stratifiedFolds(train.labels, folds, randomGenerator(context.seed, 'folds 0'));
  return { context, train, classes, points, foldOf, folds, cells: finishedCells(context) };
}

interface Choice {
  point: NetworkPoint;
  /** (points) Share of the held-out series that each combination predicts right. */
  accuracies: number[];
  validAccuracy: number;
  /** Combinations that are as good. */
  ties: number;
}

function bestPoint({ context, points, cells, train }: CrossValidation): Choice {
  const right = points.map((point) => cellsOf(cells, point).reduce((sum, cell) => sum + cell.right, 0));
  const { place, ties } = chooseFromGrid(
    points.map((point) => ({ ...point })),
    right,
    context.parameters.ties,
  );
  const accuracies = right.map((count) => count / train.labels.length);
  return { point: points[place]!, accuracies, validAccuracy: accuracies[place]!, ties };
}

async function report(
  { context, points, cells }: CrossValidation,
  { point, accuracies, validAccuracy, ties }: Choice,
  { name, testRight, testCount, epochs }: Tested & { name: string; testCount: number },
): Promise<void> {
  const { parameters, reporter } = context;
  const testAccuracies = testRight.map((count) => count / testCount);
  const testAccuracy = testAccuracies.reduce((sum, value) => sum + value, 0) / testAccuracies.length;
  reporter.metric('valid/accuracy', 0, validAccuracy);
  reporter.metric('test/accuracy', 0, testAccuracy);
  const selected = { ...point, epochs, validAccuracy, testAccuracy, testAccuracies, ties };
  reporter.note('selected', selected);
  reporter.note('diverged', cells.filter(({ hasDiverged }) => hasDiverged).length);
  reporter.note('published', rntkTable2(name)?.[PUBLISHED[parameters.network]] ?? null);
  const columns = Object.keys(cellSchema.shape) as (keyof Cell)[];
  const rows = cells.map((cell) =>
    columns.map((column) => (column === 'hasDiverged' ? String(cell[column]) : cell[column])),
  );
  reporter.artifact('grid.csv', Buffer.from(csvText([columns, ...rows])), 'text/csv');
  reporter.artifact('selected.json', Buffer.from(jsonText(selected)), 'application/json');
  const title = `${name}, ${parameters.network}: validation accuracy, the best over layers`;
  await reportFigure(reporter, 'selection', { figure: selectionMap(points, accuracies, title) });
  reporter.progress(1, `test accuracy ${(100 * testAccuracy).toFixed(2)} %`);
}

function finishedCells({ checkpoint, reporter }: Context): Cell[] {
  if (checkpoint === null) return [];
  try {
    return z.array(cellSchema).parse(JSON.parse(Buffer.from(checkpoint.bytes).toString('utf8')));
  } catch {
    reporter.log('warn', `the checkpoint of step ${checkpoint.step} cannot be used: the grid starts anew`);
    return [];
  }
}

function isAt(cell: Cell, { layers, width, learningRate }: NetworkPoint): boolean {
  return cell.layers === layers && cell.width === width && cell.learningRate === learningRate;
}

function cellsOf(cells: readonly Cell[], point: NetworkPoint): Cell[] {
  return cells.filter((cell) => isAt(cell, point));
}

/** Fills `cells` with a network for each combination and fold. */
async function crossValidate(study: CrossValidation): Promise<void> {
  const { context, points, foldOf, folds, cells } = study;
  const { parameters, reporter } = context;
  const total = points.length * folds + 1;
  for (const [place, point] of points.entries()) {
    const words = wordsOf(point);
    for (let fold = 0; fold < folds; fold++) {
      if (cells.some((cell) => isAt(cell, point) && cell.fold === fold)) continue;
      const start = performance.now();
      const trained = await trainSeriesNetwork(parameters, {
        ...foldTraining(study, point, fold),
        test: null,
        onEpoch: (epoch, loss) => {
          const message = `${words}, fold ${fold + 1} of ${folds}, epoch ${epoch}, loss ${loss.toFixed(4)}`;
          reporter.progress((place * folds + fold + epoch / parameters.epochs) / total, message);
        },
      });
      reporter.timing('select', (performance.now() - start) / 1000);
      const { heldRight: right, bestEpoch, epochs, hasDiverged } = trained;
      cells.push({ ...point, fold, right, bestEpoch, epochs, hasDiverged });
      reporter.checkpoint(0, Buffer.from(JSON.stringify(cells)));
    }
    const right = cellsOf(cells, point).reduce((sum, cell) => sum + cell.right, 0);
    reporter.metric('grid/valid-accuracy', place + 1, right / foldOf.length);
  }
}

/** What the network of a fold is trained on, always to the same numbers. */
function foldTraining({ context, train, classes, foldOf }: CrossValidation, point: NetworkPoint, fold: number) {
  const { parameters, seed, cancellation } = context;
  const series = Array.from(foldOf, (_, i) => i);
  const chosen = (isChosen: (i: number) => boolean): NetworkSeries => chosenSeries(train, series.filter(isChosen));
  return {
    point,
    classes,
    seed,
    epochs: parameters.epochs,
    train: chosen((i) => foldOf[i] !== fold),
    held: chosen((i) => foldOf[i] === fold),
    name: `rnn-classification ${parameters.network} ${wordsOf(point)} fold ${fold}`,
    throwIfCancelled: () => cancellation.throwIfCancelled(),
  };
}

interface Tested {
  /** Series of the test part that each tested network predicts right. */
  testRight: number[];
  /** Epochs that each was trained. */
  epochs: number[];
}

async function testNetworks(study: CrossValidation, point: NetworkPoint, test: NetworkSeries): Promise<Tested> {
  const { context, train, folds, cells } = study;
  const { parameters, reporter, cancellation } = context;
  const [testRight, epochs]: [number[], number[]] = [[], []];
  const take = ({ testRight: count, bestEpoch, hasDiverged }: TrainedSeriesNetwork): void => {
    testRight.push(count);
    epochs.push(bestEpoch);
    if (hasDiverged) reporter.log('warn', `a tested network diverged; it is tested as it was after epoch ${bestEpoch}`);
  };
  if (parameters.tested !== 'folds') {
    const middle = Math.max(1, median(cellsOf(cells, point).map(({ bestEpoch }) => bestEpoch)));
    const chosen = parameters.tested === 'retrained' ? middle : parameters.epochs;
    const name = `rnn-classification ${parameters.network} whole`;
    const trained = await trainSeriesNetwork(parameters, {
      ...foldTraining(study, point, 0),
      train,
      held: null,
      test,
      epochs: chosen,
      name,
      onEpoch: (epoch, loss) => reporter.metric('train/loss', epoch, loss),
      throwIfCancelled: () => cancellation.throwIfCancelled(),
    });
    take(trained);
    return { testRight, epochs };
  }
  for (let fold = 0; fold < folds; fold++) {
    const trained = await trainSeriesNetwork(parameters, {
      ...foldTraining(study, point, fold),
      test,
      onEpoch: (epoch, loss) => reporter.metric(`fold${fold + 1}/train/loss`, epoch, loss),
    });
    take(trained);
  }
  return { testRight, epochs };
}

function wordsOf({ layers, width, learningRate }: NetworkPoint): string {
  return `${layers} × ${width} at ${learningRate}`;
}

/** The lower of the two in the middle where their number is even. */
function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)]!;
}

function selectionMap(points: readonly NetworkPoint[], shares: readonly number[], title: string): Figure {
  const distinct = (of: (point: NetworkPoint) => number) => [...new Set(points.map(of))].sort((a, b) => a - b);
  const [widths, rates] = [distinct(({ width }) => width), distinct(({ learningRate }) => learningRate)];
  const best = (width: number, rate: number): number =>
    Math.max(...shares.filter((_, p) => points[p]!.width === width && points[p]!.learningRate === rate));
  return {
    form: 'heat-map',
    title,
    x: { title: 'width n', categories: widths.map(String) },
    y: { title: 'learning rate', categories: rates.map(String) },
    valueTitle: 'accuracy',
    values: rates.map((rate) => widths.map((width) => best(width, rate))),
  };
}
