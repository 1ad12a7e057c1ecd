import type { FeaturizeStabilityParameters } from '#src/catalog/kinds/featurizeStability.ts';
import type { FeaturizingRow } from '#src/catalog/published/featurizingTables.ts';
import { summarizeReplicates } from '#src/statistics/replicates.ts';
import { pairProducts, replicateVariances } from '../features/replicateVariance.ts';
import { normaliseRows } from '../math/dense/normaliseRows.ts';
import { randomGenerator } from '../math/random/randomGenerator.ts';
import type { SequenceDataset } from '../data/prepare/sequenceDataset.ts';
import type { Experiment, ExperimentContext } from './experiment.ts';
import {
  featureMapOf,
  featurizedRows,
  type ItemRepresentation,
  tableRepresentations,
} from './featurizing/featurizedRows.ts';
import { genreScores, genreTask } from './featurizing/genreTask.ts';
import { repeatedPretraining, type Replicate } from './featurizing/repeatedPretraining.ts';
import { replicateStudy } from './featurizing/replicateStudy.ts';
import { reportStabilityFigures, type StabilityFindings } from './featurizing/stabilityFigures.ts';

type Context = ExperimentContext<FeaturizeStabilityParameters>;

const PRETRAINING_SHARE = 0.7;

/**
 * Featurizing, Figure 1: how much h differs between pretrainings that differ in their seed alone. `variance/raw-h-through-training`
 * is the mean over the entries of h as it is trained, at the epoch of its snapshot: Figure 1c. `variance/h` is the same of rows of
 * length 1 and so at most about 1/d, whatever the training does; `variance/inner-products` and those of φ_d are of such rows too.
 * Checkpoints hold the pretrainings so far.
 */
export const featurizeStability: Experiment<FeaturizeStabilityParameters> = async (runContext) => {
  const { context, finished, save } = replicateStudy(runContext);
  const { parameters, reporter } = context;
  const { inputs } = context.data;
  const dataset = await context.data.sequences();
  const task = parameters.downstream ? await genreTask(context) : null;
  const moments = snapshotEpochs(parameters);
  const replicates = await repeatedPretraining(context, {
    share: PRETRAINING_SHARE,
    snapshotsAt: new Set(moments),
    finished,
    onReplicate: save,
  });
  const started = performance.now();
  const final = replicates.map((one) => normaliseRows(one.vectors, parameters.dimension));
  const through = inputs.size > 0 ? [] : varianceThroughTraining(context, replicates, moments);
  const last = Math.max(0, ...replicates.map((one) => one.losses.length));
  const pairs = drawPairs(context, dataset);
  const products = replicateVariances(final.map((h) => pairProducts(h, parameters.dimension, pairs)));
  const map = featureMapOf('phi-d', parameters);
  const features: ItemRepresentation[] = final.map((h) => featurizedRows(h, map));
  const featureEntries = replicateVariances(features.map(({ values }) => values));
  const featureProducts = replicateVariances(features.map(({ values, width }) => pairProducts(values, width, pairs)));
  reporter.metric('variance/h', last, mean(replicateVariances(final)));
  reporter.metric('variance/inner-products', last, mean(products));
  reporter.metric('variance/phi-d', last, mean(featureEntries));
  reporter.metric('variance/phi-d-inner-products', last, mean(featureProducts));
  reporter.note('featureMap', map);
  const findings: StabilityFindings = {
    losses: replicates.map((one) => one.losses),
    through,
    entries: replicateVariances(replicates.map((one) => one.vectors)),
    products,
    featureProducts,
    shown: drawItems(context, dataset),
    itemIds: dataset.itemIds,
    downstream: task === null ? null : downstreamScores(context, task, replicates),
  };
  await reportStabilityFigures(reporter, findings, parameters.dimension);
  reporter.timing('measure', (performance.now() - started) / 1000);
  reporter.progress(1, `${replicates.length} pretrainings compared`);
};

function snapshotEpochs({ epochs, snapshots }: FeaturizeStabilityParameters): number[] {
  const moments = Array.from({ length: snapshots }, (_, i) => Math.max(1, Math.round((epochs * (i + 1)) / snapshots)));
  return [...new Set([1, ...moments])];
}

/** Variances of the entries of raw h at each moment that some pretraining has reached; one that has ended stays as it was. */
function varianceThroughTraining(
  { parameters, reporter }: Context,
  replicates: readonly Replicate[],
  moments: readonly number[],
) {
  const reached = moments.filter((epoch) => replicates.some((one) => one.snapshots.has(epoch)));
  return reached.map((epoch) => {
    const now = replicates.map((one) => one.snapshots.get(epoch) ?? one.vectors);
    const variances = replicateVariances(now);
    const unitRows = now.map((h) => normaliseRows(h, parameters.dimension));
    reporter.metric('variance/raw-h-through-training', epoch, mean(variances));
    reporter.metric('variance/h-through-training', epoch, mean(replicateVariances(unitRows)));
    return { epoch, variances };
  });
}

function downstreamScores(
  { parameters, cancellation, reporter }: Context,
  task: Awaited<ReturnType<typeof genreTask>>,
  replicates: readonly Replicate[],
) {
  const vectors = replicates.map((one) => one.vectors);
  const rows: readonly FeaturizingRow[] = ['h', 'phi-d'];
  return rows.map((row) => {
    const accuracies: number[] = [];
    for (const representation of tableRepresentations(vectors, parameters).get(row)!()) {
      const { inverseStrength } = parameters;
      const { accuracy } = genreScores(task, representation, {
        inverseStrength,
        pulse: () => cancellation.throwIfCancelled(),
      });
      reporter.metric(`${row}/accuracy`, accuracies.length, accuracy);
      accuracies.push(accuracy);
    }
    const { mean: middle, standardDeviation } = summarizeReplicates(accuracies);
    reporter.log(
      'info',
      `${row}: accuracy ${(100 * middle).toFixed(2)} (${(100 * (standardDeviation ?? 0)).toFixed(2)}) %`,
    );
    return { row, accuracies };
  });
}

function drawItems({ parameters, seed }: Context, dataset: SequenceDataset): number[] {
  const generator = randomGenerator(seed, 'shown items');
  return Array.from({ length: Math.min(parameters.shownItems, dataset.itemCount) }, () =>
    generator.nextInt(dataset.itemCount),
  );
}

function drawPairs({ parameters, seed }: Context, dataset: SequenceDataset): [number, number][] {
  const generator = randomGenerator(seed, 'pairs of items');
  return Array.from({ length: parameters.pairs }, () => {
    const first = generator.nextInt(dataset.itemCount);
    const other = generator.nextInt(dataset.itemCount - 1);
    return [first, other >= first ? other + 1 : other];
  });
}

function mean(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
