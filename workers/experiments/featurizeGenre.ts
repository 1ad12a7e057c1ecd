import type { FeaturizeGenreParameters } from '../../src/catalog/kinds/featurizeGenre.ts';
import {
  FEATURIZING_ROWS,
  FEATURIZING_TABLE_1,
  type FeaturizingRow,
  type PrintedScore,
} from '../../src/catalog/published/featurizingTables.ts';
import { type ReplicateSummary, summarizeReplicates } from '../../src/statistics/replicates.ts';
import { encodeNpy } from '../data/npyFile.ts';
import { directionsByBound, directionsByRule } from '../features/featureDimension.ts';
import { csvText } from '../figures/figureTable.ts';
import { normaliseRows, rowNorms } from '../math/normaliseRows.ts';
import type { Experiment, ExperimentContext } from './experiment.ts';
import { featureMapOf, featurizedRows, tableRepresentations } from './featurizing/featurizedRows.ts';
import { type GenreScores, genreScores, genreTask } from './featurizing/genreTask.ts';
import { repeatedPretraining, type Replicate } from './featurizing/repeatedPretraining.ts';

type Context = ExperimentContext<FeaturizeGenreParameters>;

/** Part of the progress that pretraining is. */
const PRETRAINING_SHARE = 0.7;

/**
 * Featurizing, Table 1, task 1: genres of items from h, avg(h), φ_d(h) and φ_2d(h) by logistic regression, over the
 * pretrainings, beside the printed numbers. Scores are shares as metrics, percent in the table.
 */
export const featurizeGenre: Experiment<FeaturizeGenreParameters> = async (context) => {
  const { parameters, reporter, cancellation } = context;
  const task = await genreTask(context);
  const replicates = await repeatedPretraining(context, { share: PRETRAINING_SHARE });
  noteFeatures(context, replicates);
  const started = performance.now();
  const found = new Map<FeaturizingRow, GenreScores[]>();
  const vectors = replicates.map((one) => one.vectors);
  for (const [index, [row, representations]] of [...tableRepresentations(vectors, parameters)].entries()) {
    const scores: GenreScores[] = [];
    for (const representation of representations()) {
      const { inverseStrength } = parameters;
      const score = genreScores(task, representation, {
        inverseStrength,
        pulse: () => cancellation.throwIfCancelled(),
      });
      reporter.metric(`${row}/accuracy`, scores.length, score.accuracy);
      reporter.metric(`${row}/macro-f1`, scores.length, score.macroF1);
      scores.push(score);
    }
    found.set(row, scores);
    const done = (index + 1) / FEATURIZING_ROWS.length;
    reporter.progress(PRETRAINING_SHARE + (1 - PRETRAINING_SHARE) * done, `logistic regressions on ${row}`);
  }
  reporter.timing('downstream', (performance.now() - started) / 1000);
  reportTable(context, found);
};

/** What is stored of φ, how long it would have to be for a small error, and φ of the first pretraining. */
function noteFeatures({ parameters, reporter, dataset }: Context, replicates: readonly Replicate[]): void {
  const { dimension, sigmaSquared } = parameters;
  const map = featureMapOf('phi-d', parameters);
  const first = replicates[0]!.vectors;
  const { smallest, largest } = rowNorms(first, dimension);
  reporter.log(
    'info',
    `h has norms from ${smallest.toPrecision(3)} to ${largest.toPrecision(3)}: its rows are normalised for φ${parameters.normaliseBaseline ? ', h and avg(h)' : ''}`,
  );
  reporter.note('featureMaps', { 'phi-d': map, 'phi-2d': featureMapOf('phi-2d', parameters) });
  reporter.artifact('feature-map.json', Buffer.from(`${JSON.stringify(map, null, 2)}\n`), 'application/json');
  const target = { dimension, epsilon: 0.1, sigma: Math.sqrt(sigmaSquared) };
  reporter.note('directionsForErrorOfOneTenth', {
    byRule: directionsByRule(target),
    byBound: directionsByBound({ ...target, delta: 0.05 }),
    used: map.directions,
  });
  const phi = featurizedRows(normaliseRows(first, dimension), map);
  const file = encodeNpy(Float32Array.from(phi.values), [dataset.itemCount, phi.width]);
  reporter.artifact('features-of-first-pretraining.npy', file, 'application/octet-stream');
}

const MEASURES = ['accuracy', 'macroF1'] as const;
const METRICS = { accuracy: 'accuracy', macroF1: 'macro-f1' } as const;

function reportTable(
  { reporter, parameters, datasetName }: Context,
  found: ReadonlyMap<FeaturizingRow, readonly GenreScores[]>,
): void {
  const deviations = new Map<string, number | null>();
  const header = [
    'representation',
    'measure',
    'mean',
    'standard deviation',
    'runs',
    'paper mean',
    'paper standard deviation',
  ];
  const rows: (string | number)[][] = [header];
  for (const row of FEATURIZING_ROWS) {
    for (const measure of MEASURES) {
      const summary = summarizeReplicates(found.get(row)!.map((score) => score[measure]));
      reporter.metric(`${row}/mean-${METRICS[measure]}`, 0, summary.mean);
      deviations.set(`${row} ${measure}`, summary.standardDeviation);
      const printed = datasetName === 'ml-1m' ? FEATURIZING_TABLE_1[row][measure] : null;
      rows.push([row, METRICS[measure], ...tableCells(summary, printed)]);
    }
    const [h, own] = [deviations.get('h accuracy'), deviations.get(`${row} accuracy`)];
    if (row.startsWith('phi') && h != null && own != null && own > 0) reporter.metric(`stability/${row}`, 0, h / own);
  }
  reporter.artifact('table-1.csv', Buffer.from(csvText(rows)), 'text/csv');
  reporter.note('table1', {
    genres: parameters.genres,
    rows,
    paper:
      'd = 32. Its A/B tests of an unnamed company cannot be repeated. It does not say which genre of a film with several is predicted.',
  });
  for (const [row, measure, mean, deviation, , printed, printedDeviation] of rows.slice(1)) {
    const theirs = printed === '-' ? '' : `; the paper, at d = 32: ${printed} (${printedDeviation}) %`;
    reporter.log('info', `${row} ${measure}: ${mean} (${deviation}) %${theirs}`);
  }
}

function tableCells(
  { mean, standardDeviation, n }: ReplicateSummary,
  printed: PrintedScore | null,
): (string | number)[] {
  const percent = (share: number | null): string => (share === null ? '-' : (100 * share).toFixed(2));
  return [percent(mean), percent(standardDeviation), n, printed?.mean ?? '-', printed?.standardDeviation ?? '-'];
}
