import type { GeneratedDataset } from '#src/catalog/generatedDatasets.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { numberedIds } from './generatedRows.ts';
import { powerLaw } from './powerLaw.ts';
import type { LabelledTexts } from '../read/readLabelledText.ts';

const POPULARITY_EXPONENT = 0.8;
const SHORTEST = 8;
const MOST_FURTHER_WORDS = 33;
const OPINION_PROBABILITY = 0.4;
const OWN_PROBABILITY = 0.8;

/**
 * Reviews of 8 to 40 made-up words, good (1) and bad (0) by turns: a word is an opinion with probability 0.4, and that one of
 * the review's class with probability 0.8, else of the other; all other words say nothing. A third of the words are opinions,
 * half of them good ones; at least four words are made. Popularity is a power law. The last fifth of the texts are the test part.
 * Equal arguments give equal data.
 */
export function generateReviews({ users: reviews, items, seed }: Omit<GeneratedDataset, 'what'>): LabelledTexts {
  const generator = randomGenerator(seed, `reviews ${reviews}x${items}`);
  const opinions = Math.max(1, Math.floor(items / 6));
  const common = Math.max(2, items - 2 * opinions);
  const [ofOpinion, ofCommon] = [opinions, common].map((count) => powerLaw(count, POPULARITY_EXPONENT));
  const word = (label: number): string => {
    if (generator.nextFloat() >= OPINION_PROBABILITY) return `word${ofCommon!.draw(generator) + 1}`;
    const isGood = generator.nextFloat() < OWN_PROBABILITY ? label === 1 : label === 0;
    return `${isGood ? 'good' : 'bad'}${ofOpinion!.draw(generator) + 1}`;
  };
  const labels = Uint32Array.from({ length: reviews }, (_, review) => review % 2);
  const texts = Array.from(labels, (label) => {
    const length = SHORTEST + generator.nextInt(MOST_FURTHER_WORDS);
    return Array.from({ length }, () => word(label)).join(' ');
  });
  const firstTest = Math.floor(0.8 * reviews);
  const isTest = Uint8Array.from(labels, (_, review) => (review >= firstTest ? 1 : 0));
  return { texts, labels, classes: ['0', '1'], isTest, ids: numberedIds(reviews) };
}
