import { badInput } from '#src/base/contracts/errors.ts';
import { AliasTable } from '../math/random/aliasTable.ts';
import { randomGenerator } from '../math/random/randomGenerator.ts';

export const WORD_VECTOR_MODELS = ['skip-gram', 'cbow', 'pv-dbow', 'pv-dm'] as const;
export type WordVectorModel = (typeof WORD_VECTOR_MODELS)[number];

/** Sentences of words as compressed rows: sentence s has `tokens[offsets[s] .. offsets[s + 1]]`, each below `words`. */
export interface Corpus {
  offsets: Uint32Array;
  tokens: Uint32Array;
  words: number;
}

export interface WordVectorSettings {
  model: WordVectorModel;
  /**
   * What moves each vector of a mean, for the models cbow and pv-dm: the slope of the mean, as in word2vec.c (whole), or the
   * slope over their number, which is the vector's own (divided). Left out: divided.
   */
  contextUpdate?: 'whole' | 'divided' | undefined;
  /** Tokens to each side that are context (#ws). */
  window: number;
  /** The window of each token is drawn uniformly from 1 to `window`, as word2vec does. */
  shrinkWindow: boolean;
  /** Words drawn against each that came (#ns); a draw of the word itself counts for nothing. */
  negatives: number;
  dimension: number;
  /** λ: each step shrinks the vectors that it touches by learning rate × λ. */
  weightDecay: number;
  epochs: number;
  learningRate: number;
  /** The rate falls linearly over all epochs to this; equal to `learningRate` it stays. */
  finalLearningRate: number;
  /** t: a token of a word with frequency f is kept with probability √(t/f) + t/f; 0 keeps all. */
  subsample: number;
  /** Negatives are drawn in proportion to count^power. */
  negativePower: number;
}

/** Everything that training needs beside its own state; equal arguments give equal plans. */
export interface WordVectorPlan {
  corpus: Corpus;
  settings: WordVectorSettings;
  seed: number;
  sentences: number;
  longestSentence: number;
  /** (words) A token is kept where 32 random bits are at most this. */
  keptLimits: Uint32Array;
  /** Alias table of negatives. */
  cells: Uint32Array;
  aliases: Uint32Array;
  /** Floats from one vector to the next. */
  stride: number;
  /** (words, and sentences for PV models; stride) */
  inputs: Float32Array;
}

/** Whole products of a random word with the vocabulary must be exact as doubles. */
const MOST_WORDS = 2 ** 21;

/**
 * What word2vec, CBOW, PV-DM and PV-DBOW with negative sampling start from (Mikolov et al. 2013; Le and Mikolov 2014): input
 * vectors uniform in ±½/d, outputs zero. Throws BAD_INPUT for a vocabulary of one, for sentences that give nothing to
 * predict, and for settings out of range.
 */
export function wordVectorPlan(corpus: Corpus, settings: WordVectorSettings, seed: number): WordVectorPlan {
  checkSettings(settings);
  const { words, offsets, tokens } = corpus;
  if (words < 2 || words > MOST_WORDS) {
    throw badInput(
      `a vocabulary of ${words}; expected 2 to ${MOST_WORDS} words, so that there is one to draw against another`,
      'corpus',
    );
  }
  const sentences = offsets.length - 1;
  let longestSentence = 0;
  for (let s = 0; s < sentences; s++) longestSentence = Math.max(longestSentence, offsets[s + 1]! - offsets[s]!);
  const least = settings.model.startsWith('pv') ? 1 : 2;
  if (longestSentence < least) {
    throw badInput(
      `${sentences} sentences, the longest of ${longestSentence} tokens: nothing can be predicted; expected one with at least ${least}`,
      'corpus',
    );
  }
  const counts = new Float64Array(words);
  for (const token of tokens) counts[token]!++;
  const { cells, aliases } = new AliasTable(
    counts.map((count) => count ** settings.negativePower * Math.sign(count)),
  ).words();
  const stride = 4 * Math.ceil(settings.dimension / 4);
  const rows = words + (settings.model.startsWith('pv') ? sentences : 0);
  const inputs = new Float32Array(rows * stride);
  const generator = randomGenerator(seed, 'word vectors initialise');
  for (let row = 0; row < rows; row++) {
    for (let d = 0; d < settings.dimension; d++) {
      inputs[row * stride + d] = (generator.nextFloat() - 0.5) / settings.dimension;
    }
  }
  const keptLimits = counts.map((count) => keptLimit(count / tokens.length, settings.subsample));
  return {
    corpus,
    settings,
    seed,
    sentences,
    longestSentence,
    stride,
    inputs,
    cells,
    aliases,
    keptLimits: Uint32Array.from(keptLimits),
  };
}

/** Order in which the sentences are read in an epoch, from 0: a function of the seed and the epoch. */
export function sentenceOrder({ seed, sentences }: WordVectorPlan, epoch: number): Uint32Array {
  const order = Uint32Array.from({ length: sentences }, (_, sentence) => sentence);
  randomGenerator(seed, `word vectors order ${epoch}`).shuffle(order);
  return order;
}

/** Learning rate when `tokens` have been read, over all epochs. */
export function learningRateAt({ settings, corpus }: WordVectorPlan, tokens: number): number {
  const { learningRate, finalLearningRate, epochs } = settings;
  const done = Math.min(1, tokens / (epochs * corpus.tokens.length));
  return learningRate + done * (finalLearningRate - learningRate);
}

/** `vectors` (rows, stride) without what is behind the dimension. */
export function withoutPadding(vectors: Float32Array, stride: number, dimension: number): Float32Array {
  const rows = vectors.length / stride;
  const packed = new Float32Array(rows * dimension);
  for (let row = 0; row < rows; row++) {
    packed.set(vectors.subarray(row * stride, row * stride + dimension), row * dimension);
  }
  return packed;
}

function keptLimit(frequency: number, subsample: number): number {
  if (subsample === 0 || frequency === 0) return 2 ** 32 - 1;
  const kept = Math.sqrt(subsample / frequency) + subsample / frequency;
  return kept >= 1 ? 2 ** 32 - 1 : Math.max(0, Math.round(kept * 2 ** 32) - 1);
}

function checkSettings(settings: WordVectorSettings): void {
  const wholes = ['window', 'negatives', 'dimension', 'epochs'] as const;
  for (const name of wholes) {
    const value = settings[name];
    if (!Number.isInteger(value) || value < 1) {
      throw badInput(`${name} ${value}; expected a whole number from 1`, `parameters.${name}`);
    }
  }
  const { learningRate, finalLearningRate, weightDecay, subsample } = settings;
  if (!(learningRate > 0 && finalLearningRate >= 0 && finalLearningRate <= learningRate)) {
    throw badInput(
      `learning rate from ${learningRate} to ${finalLearningRate}; expected one above 0 that does not rise`,
      'parameters.learningRate',
    );
  }
  if (!(weightDecay >= 0 && weightDecay * learningRate < 1)) {
    throw badInput(`weightDecay ${weightDecay}; expected 0 to below 1 / learningRate`, 'parameters.weightDecay');
  }
  if (!(subsample >= 0)) throw badInput(`subsample ${subsample}; expected a number from 0`, 'parameters.subsample');
}
