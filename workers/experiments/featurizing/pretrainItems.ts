import type { Item2VecParameters } from '#src/catalog/parameters/item2VecParameters.ts';
import { wordVectorPlan } from '#workers/features/wordVectorPlan.ts';
import type { WordVectorEpoch } from '#workers/features/wordVectors.ts';
import { quietObserver } from '#workers/training/trainLoop.ts';
import { trainWordVectors } from '#workers/training/trainWordVectors.ts';
import type { ExperimentContext } from '../experiment.ts';
import { decodeAdam, encodeAdam } from './pretrainingCheckpoint.ts';

export interface Pretraining {
  /** (items, d) The representation h, as trained. */
  vectors: Float32Array;
  /** Loss of each epoch. */
  losses: number[];
}

export interface PretrainingOptions {
  seed: number;
  /** Called after each epoch; `vectors` copies h as it is then. */
  onEpoch: (report: WordVectorEpoch & { seconds: number; vectors: () => Float32Array }) => void;
  checkpoints?: PretrainingCheckpoints;
}

/** Where an interrupted pretraining goes on, and how it is kept for the next time. */
export interface PretrainingCheckpoints {
  /** The last one, or null for none. */
  last: Uint8Array | null;
  /** Epochs between them; 0 for none. */
  every: number;
  keep: (epoch: number, bytes: Uint8Array) => void;
}

const NO_CHECKPOINTS: PretrainingCheckpoints = { last: null, every: 0, keep: () => undefined };

/**
 * Item2vec on all sequences of the dataset, until the epochs are over or the loss has stopped falling; from the last checkpoint
 * it goes on to the numbers of one that never stopped. Throws BAD_INPUT for fewer than two items and sequences without pairs,
 * RUN_FAILED where the loss is not finite.
 */
export async function pretrainItems(
  context: ExperimentContext<Item2VecParameters>,
  options: PretrainingOptions,
): Promise<Pretraining> {
  return context.parameters.method === 'adam' ? trainWithAdam(context, options) : trainByPairs(context, options);
}

async function trainByPairs(
  { data, parameters, compute: { threads }, cancellation, reporter }: ExperimentContext<Item2VecParameters>,
  { seed, onEpoch, checkpoints = NO_CHECKPOINTS }: PretrainingOptions,
): Promise<Pretraining> {
  const dataset = await data.sequences();
  const corpus = { offsets: dataset.offsets, tokens: dataset.items, words: dataset.itemCount };
  return trainWordVectors(corpus, parameters, {
    seed,
    threads: parameters.deterministic ? 1 : threads,
    path: 'parameters.learningRate',
    pulse: () => cancellation.throwIfCancelled(),
    patience: parameters.patience,
    minimumImprovement: parameters.minimumImprovement,
    observer: quietObserver({ checkpoint: checkpoints.keep }),
    onEpoch: (report, trained) => onEpoch({ ...report, vectors: () => trained.vectors() }),
    checkpoint: checkpoints.last,
    checkpointEvery: checkpoints.every,
    onRestore: (epoch) => sayWhereFrom(reporter, checkpoints, epoch),
    test: async (trained, losses) => ({ vectors: trained.vectors(), losses: [...losses] }),
  });
}

/** The paper's way, on the tensor backend; tfjs is loaded when it is wanted. */
async function trainWithAdam(
  context: ExperimentContext<Item2VecParameters>,
  { seed, onEpoch, checkpoints = NO_CHECKPOINTS }: PretrainingOptions,
): Promise<Pretraining> {
  const { parameters, cancellation, reporter } = context;
  const dataset = await context.data.sequences();
  const corpus = { offsets: dataset.offsets, tokens: dataset.items, words: dataset.itemCount };
  // what word vectors refuse is refused here, too
  wordVectorPlan(corpus, parameters, seed);
  await context.compute.openTensorBackend();
  const { contrastivePretraining } = await import('#workers/training/contrastivePretraining.ts');
  const losses: number[] = [];
  const vectors = await contrastivePretraining(corpus, {
    ...parameters,
    ...parameters.adam,
    seed,
    checkpointEvery: checkpoints.every,
    interrupted: checkpoints.last === null ? null : decodeAdam(checkpoints.last),
    onStart: (done) => {
      losses.push(...done);
      sayWhereFrom(reporter, checkpoints, done.length);
    },
    onEpoch: ({ vectors: now, ...report }) => {
      losses.push(report.loss);
      onEpoch({ ...report, tokens: dataset.items.length, vectors: () => now });
    },
    onCheckpoint: (epoch, bytes) => checkpoints.keep(epoch, encodeAdam({ losses, bytes })),
    onProgress: (fraction, message) => reporter.progress(fraction, message),
    throwIfCancelled: () => cancellation.throwIfCancelled(),
  });
  return { vectors, losses };
}

function sayWhereFrom(
  reporter: ExperimentContext<unknown>['reporter'],
  { last }: PretrainingCheckpoints,
  epoch: number,
): void {
  if (last === null) return;
  if (epoch > 0) reporter.log('info', `goes on from the checkpoint of epoch ${epoch}`);
  else reporter.log('warn', 'the checkpoint cannot be used: training starts anew');
}

/** Says what a person should know of the data before pretraining: items without a sequence, windows that are too long. */
export async function warnOfCorpus({
  data,
  parameters,
  reporter,
}: ExperimentContext<Item2VecParameters>): Promise<void> {
  const dataset = await data.sequences();
  const met = new Uint8Array(dataset.itemCount);
  for (const item of dataset.items) met[item] = 1;
  const missing = dataset.itemCount - met.reduce((sum, one) => sum + one, 0);
  if (missing > 0)
    reporter.log(
      'warn',
      `${missing} of ${dataset.itemCount} items are in no sequence: they keep the vector they started from`,
    );
  let longest = 0;
  for (let user = 0; user < dataset.userCount; user++) {
    longest = Math.max(longest, dataset.offsets[user + 1]! - dataset.offsets[user]!);
  }
  if (parameters.window >= longest) {
    reporter.log(
      'warn',
      `the window of ${parameters.window} is as long as the longest sequence, ${longest} items: sequences are taken whole`,
    );
  }
}
