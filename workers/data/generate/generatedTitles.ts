import type { RandomGenerator } from '#workers/math/random/randomGenerator.ts';

const CONSONANTS = [...'bdfgklmnprstvz'];
const VOWELS = [...'aeiou'];
/** Words that only the titles of one cluster have, and words that all may have. */
const CLUSTER_WORDS = 12;
const COMMON_WORDS = 40;
const SHORTEST = 2;
const MOST_FURTHER_WORDS = 4;
const CLUSTER_PROBABILITY = 0.7;

/**
 * A title for each item, of two to five made-up words: each is one of the twelve words of the item's cluster with probability
 * 0.7, else one of forty that the clusters share. So titles tell clusters apart, as those of films tell genres, and no better.
 */
export function generatedTitles(clusterOf: Uint32Array, clusters: number, generator: RandomGenerator): string[] {
  const common = vocabulary(COMMON_WORDS, generator);
  const own = Array.from({ length: clusters }, () => vocabulary(CLUSTER_WORDS, generator));
  return Array.from(clusterOf, (cluster) => {
    const length = SHORTEST + generator.nextInt(MOST_FURTHER_WORDS);
    const words = Array.from({ length }, () => {
      const from = generator.nextFloat() < CLUSTER_PROBABILITY ? own[cluster]! : common;
      return from[generator.nextInt(from.length)]!;
    });
    return words.join(' ');
  });
}

/** Words of two or three syllables. Few are drawn twice, and what clusters share by that is no harm. */
function vocabulary(words: number, generator: RandomGenerator): string[] {
  const syllable = (): string =>
    CONSONANTS[generator.nextInt(CONSONANTS.length)]! + VOWELS[generator.nextInt(VOWELS.length)]!;
  return Array.from({ length: words }, () => Array.from({ length: 2 + generator.nextInt(2) }, syllable).join(''));
}
