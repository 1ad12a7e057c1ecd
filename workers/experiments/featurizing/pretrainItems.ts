import type { z } from 'zod';
import type { item2VecKindParameters } from '../../../src/catalog/kinds/item2Vec.ts';
import { WarrenError } from '../../../src/contracts/errors.ts';
import { wordVectorPlan } from '../../features/wordVectorPlan.ts';
import { type WordVectorEpoch, WordVectors } from '../../features/wordVectors.ts';
import type { ExperimentContext } from '../experiment.ts';

export type Item2VecParameters = z.output<typeof item2VecKindParameters>;

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
}

/**
 * Item2vec on all sequences of the dataset, until the epochs are over or the loss has stopped falling. Throws BAD_INPUT for
 * fewer than two items and sequences without pairs, RUN_FAILED where the loss is not finite.
 */
export async function pretrainItems(
  context: ExperimentContext<Item2VecParameters>,
  options: PretrainingOptions,
): Promise<Pretraining> {
  return context.parameters.method === 'adam' ? trainWithAdam(context, options) : trainByPairs(context, options);
}

async function trainByPairs(
  { dataset, parameters, threads, cancellation }: ExperimentContext<Item2VecParameters>,
  { seed, onEpoch }: PretrainingOptions,
): Promise<Pretraining> {
  const corpus = { offsets: dataset.offsets, tokens: dataset.items, words: dataset.itemCount };
  const training = await WordVectors.open(corpus, parameters, {
    seed,
    threads: parameters.deterministic ? 1 : threads,
  });
  try {
    const losses: number[] = [];
    let stalled = 0;
    while (losses.length < parameters.epochs) {
      const started = performance.now();
      const report = training.epoch(() => cancellation.throwIfCancelled());
      if (!Number.isFinite(report.loss)) {
        throw new WarrenError(
          'RUN_FAILED',
          `training diverged in epoch ${report.epoch}: the loss is ${report.loss}. Choose a smaller learningRate than ${parameters.learningRate}`,
          { path: 'parameters.learningRate' },
        );
      }
      onEpoch({ ...report, seconds: (performance.now() - started) / 1000, vectors: () => training.vectors() });
      const last = losses.at(-1);
      losses.push(report.loss);
      stalled = last !== undefined && last - report.loss < parameters.minimumImprovement ? stalled + 1 : 0;
      if (parameters.patience > 0 && stalled >= parameters.patience) break;
    }
    return { vectors: training.vectors(), losses };
  } finally {
    await training.close();
  }
}

/** The paper's way, on the tensor backend; tfjs is loaded when it is wanted. */
async function trainWithAdam(
  context: ExperimentContext<Item2VecParameters>,
  { seed, onEpoch }: PretrainingOptions,
): Promise<Pretraining> {
  const { dataset, parameters, cancellation, reporter } = context;
  const corpus = { offsets: dataset.offsets, tokens: dataset.items, words: dataset.itemCount };
  // what word vectors refuse is refused here, too
  wordVectorPlan(corpus, parameters, seed);
  await context.openTensorBackend();
  const { contrastivePretraining } = await import('../../training/contrastivePretraining.ts');
  const losses: number[] = [];
  const vectors = await contrastivePretraining(corpus, {
    ...parameters,
    ...parameters.adam,
    seed,
    onEpoch: ({ vectors: now, ...report }) => {
      losses.push(report.loss);
      onEpoch({ ...report, tokens: dataset.items.length, vectors: () => now });
    },
    onProgress: (fraction, message) => reporter.progress(fraction, message),
    throwIfCancelled: () => cancellation.throwIfCancelled(),
  });
  return { vectors, losses };
}

/** Says what a person should know of the data before pretraining: items without a sequence, windows that are too long. */
export function warnOfCorpus({ dataset, parameters, reporter }: ExperimentContext<Item2VecParameters>): void {
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
