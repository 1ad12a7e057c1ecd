import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import {
  hiddenOfTexts,
  initTextClassifier,
  scoresOfTexts,
  type TextClassifier,
  type TextClassifierShape,
  type TextInput,
  textLoss,
} from '#workers/models/textClassifier.ts';
import { tf } from '#workers/tensor/tf.ts';
import { type NumberedTexts, packTexts, textBatches } from '#workers/training/batches/textBatches.ts';
import { networkLearner } from '#workers/training/networkLearner.ts';
import { quietObserver, train } from '#workers/training/trainLoop.ts';
import type { ItemRepresentation } from '../featurizedRows.ts';
import type { SentimentContext, SentimentTask } from './sentimentTask.ts';

export interface SentimentRun {
  task: SentimentTask;
  /** Word vectors, taken frozen; null trains vectors of length d with the rest. */
  representation: ItemRepresentation | null;
  seed: number;
  /** Epochs after which the last hidden layer is kept. */
  keepsHiddenAt?: (epoch: number) => boolean;
  onProgress: (fraction: number, message: string) => void;
}

/** One trained classifier. */
export interface SentimentResult {
  /** Of the test reviews, by the parameters of the best epoch. */
  accuracy: number;
  validAccuracy: number;
  weightDecay: number;
  /** Epochs trained, and the best of them. */
  epochs: number;
  bestEpoch: number;
  /** By epoch. */
  losses: number[];
  validAccuracies: number[];
  /** (test reviews, dense units) By epoch, those that were asked for. */
  hidden: Map<number, Float32Array>;
  /** Of the best epoch; empty where none was asked for. */
  lastHidden: Float32Array;
}

/** Words read at once where nothing is trained. */
const WORDS_AT_ONCE = 16_384;

/** Trains a classifier for each λ and returns that with the best validation accuracy, the first of equal ones. */
export async function bestSentimentClassifier(context: SentimentContext, run: SentimentRun): Promise<SentimentResult> {
  const { weightDecays } = context.parameters.classifier;
  let best: SentimentResult | null = null;
  for (const [index, weightDecay] of weightDecays.entries()) {
    const onProgress = (fraction: number, message: string): void =>
      run.onProgress((index + fraction) / weightDecays.length, `λ = ${weightDecay}, ${message}`);
    const result = await trainSentimentClassifier(context, { ...run, onProgress }, weightDecay);
    if (best === null || result.validAccuracy > best.validAccuracy) best = result;
  }
  return best!;
}

/**
 * Trains the classifier with Adam until the validation accuracy has stopped rising, and tests it as it was at its best. Needs an
 * open tensor backend, on which it leaves nothing. Throws RUN_FAILED where the loss is not finite.
 */
async function trainSentimentClassifier(
  { parameters: { classifier, dimension }, cancellation }: SentimentContext,
  run: SentimentRun,
  weightDecay: number,
): Promise<SentimentResult> {
  const { task, representation, seed, keepsHiddenAt = () => false } = run;
  const { units, denseUnits, learningRate, batchSize, epochs, patience } = classifier;
  const words = task.vocabulary.words.length;
  const width = representation?.width ?? dimension;
  const shape = { words, dimension: width, units, denseUnits, trainsWords: representation === null };
  const network = openClassifier(shape, representation, seed);
  const { parameters } = network;
  const adam = { name: 'adam', learningRate, weightDecay, beta1: 0.9, beta2: 0.999, epsilon: 1e-7 } as const;
  const seen: Pick<SentimentResult, 'losses' | 'validAccuracies' | 'hidden'> = {
    losses: [],
    validAccuracies: [],
    hidden: new Map(),
  };
  const throwIfCancelled = (): void => cancellation.throwIfCancelled();
  const { accuracyOf, hiddenOf } = measuresOf(network, throwIfCancelled);
  const observer = quietObserver({
    metric: (name, _, value) => name === 'train/loss' && seen.losses.push(value),
    progress: run.onProgress,
  });
  const learner = networkLearner({
    network: { parameters, loss: (batch) => textLoss(network, batch) },
    optimizer: adam,
    batches: textBatches(task.train, batchSize),
    seed,
    epochs,
    patience,
    keepsBest: true,
    observer,
    throwIfCancelled,
    dispose: () => {
      for (const parameter of parameters.values()) parameter.dispose();
      network.table.dispose();
    },
  });
  return train(learner, {
    epochs,
    evaluateEvery: 1,
    observer,
    validate: async () => {
      const valid = await accuracyOf(task.validation);
      seen.validAccuracies.push(valid);
      if (keepsHiddenAt(learner.epoch)) seen.hidden.set(learner.epoch, await hiddenOf(task.test));
      return { metrics: {}, score: valid };
    },
    test: async ({ testedEpoch }) => ({
      accuracy: await accuracyOf(task.test),
      validAccuracy: learner.best?.score ?? Number.NaN,
      bestEpoch: testedEpoch,
      weightDecay,
      epochs: learner.epoch,
      ...seen,
      lastHidden: run.keepsHiddenAt === undefined ? new Float32Array(0) : await hiddenOf(task.test),
    }),
  });
}

/** What a classifier makes of texts, as it is. */
function measuresOf(network: TextClassifier, throwIfCancelled: () => void) {
  const outOf = (part: NumberedTexts, what: typeof scoresOfTexts | typeof hiddenOfTexts) =>
    computed(part, (input) => what(network, input), throwIfCancelled);
  return {
    accuracyOf: async (part: NumberedTexts) => accuracy(part, await outOf(part, scoresOfTexts)),
    hiddenOf: (part: NumberedTexts) => outOf(part, hiddenOfTexts),
  };
}

/** Its table is one of its parameters or holds the representation. */
function openClassifier(
  shape: TextClassifierShape,
  representation: ItemRepresentation | null,
  seed: number,
): TextClassifier {
  const parameters = initTextClassifier(shape, (name) => randomGenerator(seed, `text classifier ${name}`));
  const trained = parameters.get('words') as tf.Variable<tf.Rank.R2> | undefined;
  if (trained !== undefined || representation === null) return { parameters, table: trained! };
  const values = Float32Array.from(representation.values);
  return { parameters, table: tf.tensor2d(values, [shape.words, shape.dimension]) };
}

/** (texts, …) What a network makes of each text, some at a time. */
async function computed(
  part: NumberedTexts,
  of: (input: TextInput) => tf.Tensor,
  throwIfCancelled: () => void,
): Promise<Float32Array> {
  const count = part.labels.length;
  const found: Float32Array[] = [];
  for (let from = 0; from < count; ) {
    throwIfCancelled();
    let to = from;
    for (let words = 0; to < count && (to === from || words < WORDS_AT_ONCE); to++) words += part.words[to]!.length;
    const chosen = Uint32Array.from({ length: to - from }, (_, i) => from + i);
    const values = tf.tidy(() => of(packTexts(part, chosen)));
    found.push(Float32Array.from(await values.data<'float32'>()));
    values.dispose();
    from = to;
  }
  const all = new Float32Array(found.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const values of found) {
    all.set(values, at);
    at += values.length;
  }
  return all;
}

function accuracy({ labels }: NumberedTexts, scores: Float32Array): number {
  return labels.reduce((sum, label, text) => sum + Number(scores[text]! > 0 === (label === 1)), 0) / labels.length;
}
