import type { FiniteRnnParameters } from '#src/catalog/kinds/finiteRnn.ts';
import { type OverrecParameters, overrecParameters } from '#src/catalog/kinds/overrec.ts';
import { openProtocol } from '../evaluation/protocols/openProtocol.ts';
import type { Protocol, Validation } from '../evaluation/protocols/protocol.ts';
import { rankingMetrics } from '../evaluation/ranking/rankingMetrics.ts';
import { randomGenerator } from '../math/random/randomGenerator.ts';
import { type ElmanOptions, type ElmanShape, elmanRecommender, initElman } from '../models/elmanRecommender.ts';
import { type SequenceBatch, type SequenceNetwork, sequenceLoss } from '../models/sequenceNetwork.ts';
import { sequenceScorer } from '../models/sequenceScorer.ts';
import { sequenceBatches } from '../training/batches/sequenceBatches.ts';
import type { BatchSource } from '../training/trainableNetwork.ts';
import { networkLearner } from '../training/networkLearner.ts';
import { train, type TrainingObserver } from '../training/trainLoop.ts';
import type { Experiment, ExperimentContext } from './experiment.ts';
import { MetricRecord } from './studies/metricRecord.ts';
import { overrec } from './overrec.ts';
import { optimizerSettings } from '../training/optimizers/optimizerSettings.ts';
import { decodeWidths, encodeWidths, type WidthCheckpoint } from './studies/widthCheckpoint.ts';
import { reportWidths } from './studies/widthFigures.ts';

type Context = ExperimentContext<FiniteRnnParameters>;

interface Study {
  context: Context;
  protocol: Protocol;
  batches: BatchSource<SequenceBatch>;
  record: MetricRecord;
  /** Ascending. */
  widths: readonly number[];
  /** Where an earlier attempt stood. */
  resumed: WidthCheckpoint | null;
}

/**
 * The double ascent (OverRec, Figures 1, 2 and 4): Elman recommenders of growing width, trained alike one after the other, and
 * ranked for x_n at every validation. Curves by epoch `w<n>/train/loss`, `w<n>/valid/…`, `w<n>/test/…`; then at the width as
 * step `best/…` (test metrics after the epoch of the best validation), `last/…`, `train/loss`.
 *
 * Checkpoints stand at step 0 and hold all metrics so far: whoever goes on from one reports them again, since steps that
 * begin anew with each width cannot tell what is later.
 */
export const finiteRnn: Experiment<FiniteRnnParameters> = async (context) => {
  const { parameters, dataset, reporter } = context;
  const { batchSize, maximumLength, loss } = parameters;
  const protocol = openProtocol(context);
  const negatives = loss === 'softmax' ? 0 : parameters.negatives;
  const batches = sequenceBatches(protocol.split, { batchSize, maximumLength, samples: 'positions', negatives });
  await context.openTensorBackend();
  const record = new MetricRecord(reporter);
  const widths = [...new Set(parameters.widths)].sort((a, b) => a - b);
  const study: Study = { context, protocol, batches, record, widths, resumed: restored(context, record) };
  for (const width of widths) {
    if (!record.series('train/loss').has(width)) await trainWidth(study, width);
  }
  if (parameters.comparesKernel && parameters.activation === 'relu') await rankByKernel(context, record);
  await reportWidths(reporter, { record, widths, cutoffs: parameters.cutoffs, datasetName: dataset.name });
  reporter.progress(1, 'done');
};

/** What the run's checkpoint holds; its metrics are reported again. Null where there is none that fits. */
function restored({ checkpoint, reporter }: Context, record: MetricRecord): WidthCheckpoint | null {
  if (checkpoint === null) return null;
  const found = decodeWidths(checkpoint.bytes);
  if (found !== null && record.restore(found.metrics)) return found;
  reporter.log('warn', 'the checkpoint cannot be used: all widths are trained anew');
  return null;
}

async function trainWidth(study: Study, width: number): Promise<void> {
  const { context, batches, record, resumed } = study;
  const { parameters, seed, cancellation, reporter } = context;
  const network = networkOf(context, width);
  const variables = [...network.parameters.values()];
  const numbers = variables.reduce((sum, { size }) => sum + size, 0);
  const observer = observerOf(study, width);
  const { epochs, evaluateEvery, patience, checkpointEvery, loss } = parameters;
  const learner = networkLearner({
    network: {
      parameters: network.parameters,
      loss: (batch, draw) => sequenceLoss(network, batch, { loss, draw }),
    },
    optimizer: optimizerSettings(parameters.optimizer),
    batches,
    ...{ seed, epochs, patience, keepsBest: false, observer },
    throwIfCancelled: () => cancellation.throwIfCancelled(),
    dispose: () => {
      for (const variable of variables) variable.dispose();
    },
  });
  const checkpoint = resumed?.width === width ? resumed.training : null;
  if (checkpoint === null) reporter.log('info', `width ${width}: ${numbers} trained numbers`);
  await train(learner, {
    ...{ epochs, evaluateEvery, checkpointEvery, observer, checkpoint },
    onRestore: (isRestored) => {
      if (isRestored) reporter.log('info', `width ${width} goes on from the checkpoint of epoch ${learner.epoch}`);
      else reporter.log('warn', `the checkpoint cannot be used: width ${width} is trained anew`);
    },
    validate: () => evaluate(study, { network, width, epoch: learner.epoch }),
    test: async () => {
      record.metric('trained-numbers', width, numbers);
      summarise(record, width, { best: learner.best!.epoch, last: learner.epoch });
    },
  });
}

function networkOf({ parameters, dataset, seed }: Context, width: number): SequenceNetwork {
  const { layers, tiesEmbeddings, maximumLength, activation, parametrisation } = parameters;
  const shape: ElmanShape = { itemCount: dataset.itemCount, width, layers, tiesEmbeddings, maximumLength };
  const { sigmaW: recurrent, sigmaU: input, sigmaV: readOut, sigmaB: bias } = parameters;
  const options: ElmanOptions = { activation, parametrisation, sigmas: { recurrent, input, readOut, bias } };
  const variables = initElman(shape, options, (name) => randomGenerator(seed, `finite-rnn ${width} ${name}`));
  return elmanRecommender(variables, shape, options);
}

/** Tells of one network under its width; progress is that of the whole study. */
function observerOf({ context, record, widths }: Study, width: number): TrainingObserver {
  const { reporter, dataset } = context;
  const costOf = (n: number): number => (n + 16) * (dataset.itemCount + n);
  const total = widths.reduce((sum, n) => sum + costOf(n), 0);
  const before = widths.reduce((sum, n) => sum + (n < width ? costOf(n) : 0), 0);
  return {
    metric: (name, step, value) => record.metric(`w${width}/${name}`, step, value),
    log: (level, text) => reporter.log(level, `width ${width}: ${text}`),
    progress: (fraction, message) =>
      reporter.progress((before + fraction * costOf(width)) / total, `width ${width}, ${message}`),
    checkpoint: (_, training) => reporter.checkpoint(0, encodeWidths({ width, metrics: record.saved(), training })),
    timing: (phase, seconds) => reporter.timing(phase, seconds),
  };
}

/** Validates, and ranks for the test items, too: the paper draws test metrics by epoch. They decide nothing. */
async function evaluate(
  { context, protocol, record }: Study,
  { network, width, epoch }: { network: SequenceNetwork; width: number; epoch: number },
): Promise<Validation> {
  const { parameters, threads, cancellation } = context;
  const { cutoffs } = parameters;
  const scorer = sequenceScorer(network, { threads, pulse: () => cancellation.throwIfCancelled() });
  const { ranks } = await scorer.rank(protocol.testPart, { listLength: 0, cutoff: Math.max(...cutoffs) });
  for (const [name, value] of Object.entries(rankingMetrics(ranks, cutoffs))) {
    record.metric(`w${width}/test/${name}`, epoch, value);
  }
  return protocol.validate(scorer);
}

/** One point for each curve by width, out of the curves by epoch of this one. */
function summarise(record: MetricRecord, width: number, epochs: { best: number; last: number }): void {
  const valueAt = (name: string, epoch: number): number => record.series(`w${width}/${name}`).get(epoch)!;
  const sumOf = (name: string): number => [...record.series(`w${width}/${name}`).values()].reduce((a, b) => a + b, 0);
  for (const name of record.names(`w${width}/test/`)) {
    const metric = name.slice(`w${width}/test/`.length);
    for (const which of ['best', 'last'] as const) {
      record.metric(`${which}/${metric}`, width, valueAt(`test/${metric}`, epochs[which]));
    }
  }
  record.metric('best/epoch', width, epochs.best);
  record.metric('time/width', width, sumOf('time/epoch'));
  record.metric('train/loss', width, valueAt('train/loss', epochs.last));
}

/** OverRec on the same users, sequences and candidates: what infinitely wide networks are expected to come near. */
async function rankByKernel(context: Context, record: MetricRecord): Promise<void> {
  const { parameters, reporter } = context;
  const { layers, maximumLength, cutoffs, excludeSeen, seenItems } = parameters;
  const isNtk = parameters.parametrisation === 'ntk';
  const { sigmaW, sigmaU, sigmaV, sigmaB } = parameters;
  const same: OverrecParameters = overrecParameters.parse({
    ...(isNtk ? { sigmaW, sigmaU, sigmaV, sigmaB } : {}),
    ...(seenItems === undefined ? {} : { seenItems }),
    layers,
    maximumLength,
    cutoffs,
    excludeSeen,
  });
  const accuracy = new Set(cutoffs.flatMap((n) => [`test/mrr@${n}`, `test/ndcg@${n}`, `test/hr@${n}`]));
  const start = performance.now();
  await overrec({
    ...context,
    parameters: same,
    checkpoint: null,
    reporter: {
      ...SILENT,
      metric: (name, step, value) => {
        if (accuracy.has(name)) record.metric(name.replace('test/', 'overrec/'), step, value);
      },
    },
  });
  reporter.timing('kernel', (performance.now() - start) / 1000);
}

const nothing = (): void => undefined;
const SILENT = {
  log: nothing,
  progress: nothing,
  artifact: nothing,
  checkpoint: nothing,
  timing: nothing,
  note: nothing,
};
