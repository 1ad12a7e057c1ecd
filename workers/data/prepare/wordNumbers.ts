/** The words that a network knows, by number. 0 stands for every other word. */
export interface Vocabulary {
  /** (words) By number; the first is `UNKNOWN_WORD`. */
  words: readonly string[];
  numbers: ReadonlyMap<string, number>;
}

/** How the unknown word is written where words are listed. */
export const UNKNOWN_WORD = '[UNK]';

const PUNCTUATION = /[!"#$%&()*+,\-./:;<=>?@[\\\]^_`{|}~']/g;

/** Words of a text as Keras's text vectorisation has them: in lower case, without ASCII punctuation, split at white space. */
export function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .replace(PUNCTUATION, '')
    .split(/\s+/)
    .filter((word) => word !== '');
}

/** The unknown word and the `size` - 1 most frequent others; those that come equally often in the order of their code points. */
export function vocabularyOf(texts: Iterable<readonly string[]>, size: number): Vocabulary {
  const counts = new Map<string, number>();
  for (const words of texts) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const frequent = [...counts]
    .sort(([a, often], [b, other]) => other - often || (a < b ? -1 : 1))
    .slice(0, size - 1)
    .map(([word]) => word);
  const words = [UNKNOWN_WORD, ...frequent];
  return { words, numbers: new Map(words.map((word, number) => [word, number])) };
}

/** Numbers of words; of a word called like the unknown one, 0 as well. */
export function numbersOf(words: readonly string[], { numbers }: Vocabulary): Uint32Array {
  return Uint32Array.from(words, (word) => numbers.get(word) ?? 0);
}
