import type { FeaturizeSentimentParameters } from '#src/catalog/kinds/featurizeSentiment.ts';
import { WarrenError } from '#src/base/contracts/errors.ts';
import type { TextData } from '#workers/data/load/loadLabelledText.ts';
import { randomByItem } from '#workers/data/split/randomByItem.ts';
import { numbersOf, type Vocabulary, vocabularyOf, wordsOf } from '#workers/data/prepare/wordNumbers.ts';
import type { Corpus } from '#workers/features/wordVectorPlan.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import type { NumberedTexts } from '#workers/training/batches/textBatches.ts';
import type { ExperimentContext } from '#workers/experiments/experiment.ts';

/** An experiment on texts: it has no sequences. */
export type SentimentContext = ExperimentContext<FeaturizeSentimentParameters>;

export interface SentimentTask {
  vocabulary: Vocabulary;
  /** The training reviews, whole: what word vectors are pretrained on. */
  corpus: Corpus;
  /** Cut to the length that the classifier reads; label 1 is the second of the two in their order. */
  train: NumberedTexts;
  validation: NumberedTexts;
  test: NumberedTexts;
  /** Ids of the test reviews. */
  testIds: readonly string[];
}

/** Appendix G: the standard split. */
const SHARES = { train: 0.8, validation: 0.1, test: 0.1 };

/**
 * The reviews as numbers of words, split. The vocabulary is that of the training part. Reviews without a word are left out, and
 * it is said how many. Throws DATA_ERROR unless there are two labels, both in training, and every part has a review; BAD_INPUT
 * where training has fewer than two different words.
 */
export async function sentimentTask(context: SentimentContext): Promise<SentimentTask> {
  const { parameters, reporter } = context;
  const data = await context.data.texts(context.data.name ?? '');
  if (data.classes.length !== 2) {
    throw refused(data, `has the labels ${data.classes.slice(0, 5).join(', ')}; expected two, such as 0 and 1`);
  }
  const read = data.texts.map(wordsOf);
  const kept = Uint32Array.from(read.keys()).filter((text) => read[text]!.length > 0);
  if (kept.length < read.length) {
    reporter.log('warn', `${read.length - kept.length} of ${read.length} reviews have no word and are left out`);
  }
  const split = randomByItem(kept.length, SHARES, randomGenerator(parameters.splitSeed, 'reviews'));
  const [train, validation, test] = [split.train, split.validation, split.test].map((part) =>
    part.map((place) => kept[place]!),
  ) as [Uint32Array, Uint32Array, Uint32Array];
  if (validation.length === 0 || test.length === 0 || new Set(train.map((text) => data.labels[text]!)).size < 2) {
    throw refused(data, `has ${kept.length} reviews with words: too few to train on both labels, validate and test`);
  }
  const vocabulary = vocabularyOf(
    Array.from(train, (text) => read[text]!),
    parameters.vocabulary,
  );
  const numbers = read.map((words) => numbersOf(words, vocabulary));
  const corpus = corpusOf(
    Array.from(train, (text) => numbers[text]!),
    vocabulary,
  );
  note(context, { data, corpus, vocabulary, parts: [train, validation, test] });
  const { maximumLength } = parameters.classifier;
  const part = (texts: Uint32Array): NumberedTexts => ({
    words: Array.from(texts, (text) =>
      maximumLength === 0 ? numbers[text]! : numbers[text]!.subarray(0, maximumLength),
    ),
    labels: Uint8Array.from(texts, (text) => data.labels[text]!),
  });
  return {
    vocabulary,
    corpus,
    train: part(train),
    validation: part(validation),
    test: part(test),
    testIds: Array.from(test, (text) => data.ids[text] || String(text + 1)),
  };
}

function refused({ name }: TextData, what: string): WarrenError {
  return new WarrenError('DATA_ERROR', `dataset "${name}" ${what}`, { path: 'dataset.name' });
}

function corpusOf(texts: readonly Uint32Array[], { words }: Vocabulary): Corpus {
  const offsets = new Uint32Array(texts.length + 1);
  for (const [s, text] of texts.entries()) offsets[s + 1] = offsets[s]! + text.length;
  const tokens = new Uint32Array(offsets.at(-1)!);
  for (const [s, text] of texts.entries()) tokens.set(text, offsets[s]!);
  const different = new Set(tokens).size;
  if (different < 2) {
    throw new WarrenError(
      'BAD_INPUT',
      `a vocabulary of ${different}: the training reviews have one word only; expected at least two`,
      { path: 'dataset.name' },
    );
  }
  return { offsets, tokens, words: words.length };
}

function note(
  { reporter, parameters }: SentimentContext,
  {
    data,
    corpus,
    vocabulary,
    parts,
  }: { data: TextData; corpus: Corpus; vocabulary: Vocabulary; parts: readonly Uint32Array[] },
): void {
  const { tokens, offsets } = corpus;
  const unknown = tokens.reduce((sum, token) => sum + Number(token === 0), 0);
  reporter.note('reviews', {
    all: data.texts.length,
    train: parts[0]!.length,
    validation: parts[1]!.length,
    test: parts[2]!.length,
    positiveInTest: parts[2]!.reduce((sum, text) => sum + data.labels[text]!, 0),
    vocabulary: vocabulary.words.length,
    trainingWords: tokens.length,
    unknownShare: unknown / tokens.length,
  });
  let longest = 0;
  for (let s = 0; s + 1 < offsets.length; s++) longest = Math.max(longest, offsets[s + 1]! - offsets[s]!);
  const { window } = parameters.word2vec;
  if (window < longest) return;
  reporter.log(
    'warn',
    `the window of ${window} is as long as the longest review, ${longest} words: reviews are taken whole`,
  );
}
