import type { OverrecComparisonParameters, Similarity } from '#src/catalog/kinds/overrecComparison.ts';
import type { HeldOut } from '../evaluation/ranking/heldOut.ts';
import { openProtocol } from '../evaluation/protocols/openProtocol.ts';
import type { Figure } from '../figures/figure.ts';
import { csvText } from '../figures/figureTable.ts';
import { reportFigure } from '../figures/reportFigure.ts';
import type { PredictionFunction } from '../kernels/neighbours/neighbourVotes.ts';
import { cutoffAccuracy } from './ranking/cutoffAccuracy.ts';
import type { Experiment, ExperimentContext } from './experiment.ts';
import {
  nearestPrefixes,
  openPrefixEvaluation,
  type PrefixEvaluation,
  prefixRankings,
  tableProtocol,
  votingCounts,
} from './ranking/prefixNeighbours.ts';
import { SKNN_MEASURE, stanMeasures } from './ranking/sequenceMeasures.ts';
import { openSequenceEvaluation, rankSequences, type SequenceEvaluation } from './ranking/sequenceNeighbours.ts';

type Context = ExperimentContext<OverrecComparisonParameters>;

/** How well a similarity does with a prediction: `mrr@N`, `ndcg@N`, `hr@N`. */
interface Cell {
  similarity: Similarity;
  prediction: PredictionFunction;
  metrics: Record<string, number>;
}

/** Users between two questions whether the run is cancelled. */
const PULSE_USERS = 64;

const NAMES: Readonly<Record<Similarity, string>> = {
  rntk: 'OverRec (RNTK)',
  nngp: 'NNGP-RNN',
  stan: 'STAN',
  sknn: 'SkNN',
};

const PREDICTION_NAMES: Readonly<Record<PredictionFunction, string>> = {
  'weighted-y': 'Weighted Y',
  'equal-item': 'Equal Item',
  'weighted-item': 'Weighted Item',
  'weighted-item-author': 'Weighted Item, code',
  'weighted-item-author-input': 'Weighted Item, input',
};

/** OverRec, Section VI-D and Figure 5: all similarities with all predictions; each finds its neighbours once. */
export const overrecComparison: Experiment<OverrecComparisonParameters> = async (context) => {
  const { parameters, reporter } = context;
  const { testPart } = openProtocol(context);
  const start = performance.now();
  const cells: Cell[] = [];
  let prefixes: PrefixEvaluation | undefined;
  let sequences: SequenceEvaluation | undefined;
  for (const [place, similarity] of parameters.similarities.entries()) {
    const progress = (done: number, all: number): void =>
      reporter.progress((place + done / all) / parameters.similarities.length, NAMES[similarity]);
    let found: Cell[];
    if (similarity === 'rntk' || similarity === 'nngp') {
      prefixes ??= openPrefixEvaluation(testPart, tableProtocol(parameters.maximumLength));
      found = await kernelCells(context, { evaluation: prefixes, similarity, progress });
    } else {
      sequences ??= openSequenceEvaluation(testPart.split, parameters.maximumLength);
      found = overlapCells(context, testPart, { evaluation: sequences, similarity, progress });
    }
    for (const cell of found) {
      for (const [name, value] of Object.entries(cell.metrics))
        reporter.metric(`test/${similarity}/${cell.prediction}/${name}`, 0, value);
    }
    cells.push(...found);
  }
  reporter.timing('compute', (performance.now() - start) / 1000);
  await leaveResults(context, cells);
  reporter.progress(1, 'done');
};

interface Comparing<Evaluation, Of> {
  evaluation: Evaluation;
  similarity: Of;
  progress: (done: number, all: number) => void;
}

async function kernelCells(
  { parameters, threads, cancellation }: Context,
  { evaluation, similarity, progress }: Comparing<PrefixEvaluation, 'rntk' | 'nngp'>,
): Promise<Cell[]> {
  const { predictions, duplicateTargets: duplicates, itemDecay, neighbours, variant } = parameters;
  const { activation, layers, sigmaW, sigmaU, sigmaV, sigmaB, sigmaH } = parameters;
  const network = { activation, layers, sigmaW, sigmaU, sigmaV, sigmaB, sigmaH };
  const nearest = await nearestPrefixes(evaluation, {
    kernel: { network, kernel: similarity, variant },
    count: Math.max(...votingCounts({ neighbours, candidates: parameters })),
    threads,
    cancellation,
    progress,
  });
  return predictions.map((prediction) => {
    const votes = { prediction, duplicates, itemDecay };
    const rankings = prefixRankings(evaluation, nearest, { neighbours, votes, candidates: parameters, cancellation });
    return { similarity, prediction, metrics: cutoffAccuracy(rankings) };
  });
}

function overlapCells(
  { parameters, cancellation }: Context,
  part: HeldOut,
  { evaluation, similarity, progress }: Comparing<SequenceEvaluation, 'stan' | 'sknn'>,
): Cell[] {
  const { predictions, duplicateTargets: duplicates, itemDecay, stanVariant, positionDecay, recencyDecay } = parameters;
  const { rankings } = rankSequences(evaluation, part, {
    measureFor:
      similarity === 'sknn'
        ? () => SKNN_MEASURE
        : stanMeasures(part.split, { positionDecay, recencyDecay, variant: stanVariant }),
    neighbours: similarity === 'sknn' ? parameters.sknnNeighbours : parameters.stanNeighbours,
    votes: predictions.map((prediction) => ({ prediction, duplicates, itemDecay })),
    listLength: Math.max(...parameters.cutoffs),
    pulse: (done, all) => {
      if (done % PULSE_USERS !== 0) return;
      cancellation.throwIfCancelled();
      progress(done, all);
    },
  });
  return predictions.map((prediction, at) => ({
    similarity,
    prediction,
    metrics: cutoffAccuracy(parameters.cutoffs.map((cutoff) => ({ cutoff, ranked: rankings[at]! }))),
  }));
}

/** `comparison.csv`, a line a cell, and a figure of NDCG for each cut-off. */
async function leaveResults({ parameters, reporter, dataset }: Context, cells: readonly Cell[]): Promise<void> {
  const names = Object.keys(cells[0]?.metrics ?? {});
  const rows = cells.map(({ similarity, prediction, metrics }) => [
    similarity,
    prediction,
    ...names.map((name) => metrics[name] ?? Number.NaN),
  ]);
  const table = csvText([['similarity', 'prediction', ...names], ...rows]);
  reporter.artifact('comparison.csv', Buffer.from(table), 'text/csv');
  for (const cutoff of parameters.cutoffs) {
    const figure = comparisonFigure(parameters, cells, { metric: 'ndcg', cutoff, dataset: dataset.name });
    await reportFigure(reporter, `figure-5-ndcg-${cutoff}`, { figure });
  }
}

function comparisonFigure(
  { similarities, predictions, excludeSeen }: OverrecComparisonParameters,
  cells: readonly Cell[],
  { metric, cutoff, dataset }: { metric: string; cutoff: number; dataset: string },
): Figure {
  const valueAt = (similarity: Similarity, prediction: PredictionFunction): number =>
    cells.find((cell) => cell.similarity === similarity && cell.prediction === prediction)?.metrics[
      `${metric}@${cutoff}`
    ] ?? Number.NaN;
  return {
    form: 'curves',
    title: `${metric.toUpperCase()}@${cutoff} on ${dataset}${excludeSeen ? ', seen items left out' : ''}`,
    x: {
      title: 'prediction function',
      scale: 'category',
      categories: predictions.map((name) => PREDICTION_NAMES[name]),
    },
    y: { title: `${metric.toUpperCase()}@${cutoff}`, minimum: 0 },
    series: similarities.map((similarity) => ({
      form: 'bars',
      name: NAMES[similarity],
      values: predictions.map((prediction) => valueAt(similarity, prediction)),
    })),
  };
}
