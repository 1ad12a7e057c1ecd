import { badInput } from '#src/base/contracts/errors.ts';
import type { Corpus } from './wordVectorPlan.ts';

/** Texts as the documents of a corpus, one for each, in their order; those without a word left are empty. */
export interface TitleCorpus extends Corpus {
  /** (words) By number, in the order in which they first come. */
  vocabulary: readonly string[];
  /** Documents without a word. */
  emptyDocuments: number;
}

/** Runs of letters, digits and marks; an apostrophe inside a word belongs to it. */
const WORD = /[\p{L}\p{N}\p{M}]+(?:['’][\p{L}\p{N}\p{M}]+)*/gu;

/** The words of a text, in lower case. */
export function titleWords(text: string): string[] {
  return text.toLowerCase().match(WORD) ?? [];
}

/**
 * Documents of words that come at least `minimumCount` times in all of them together. Throws BAD_INPUT where fewer than two
 * different words are left, so that there is none to draw against another.
 */
export function titleCorpus(texts: readonly string[], minimumCount: number): TitleCorpus {
  const documents = texts.map(titleWords);
  const counts = new Map<string, number>();
  for (const word of documents.flat()) counts.set(word, (counts.get(word) ?? 0) + 1);
  const numbers = new Map<string, number>();
  for (const [word, count] of counts) if (count >= minimumCount) numbers.set(word, numbers.size);
  if (numbers.size < 2) {
    throw badInput(
      `${texts.length} texts with a vocabulary of ${numbers.size} ${minimumCount > 1 ? `words that come at least ${minimumCount} times` : 'words'}; expected at least 2`,
      'parameters.doc2vec',
    );
  }
  const kept = documents.map((words) => words.flatMap((word) => numbers.get(word) ?? []));
  const offsets = new Uint32Array(texts.length + 1);
  for (const [document, words] of kept.entries()) offsets[document + 1] = offsets[document]! + words.length;
  return {
    offsets,
    tokens: Uint32Array.from(kept.flat()),
    words: numbers.size,
    vocabulary: [...numbers.keys()],
    emptyDocuments: kept.filter((words) => words.length === 0).length,
  };
}
