import type { Corpus } from '#workers/features/wordVectorPlan.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { trainWordVectors } from '#workers/training/trainWordVectors.ts';
import type { SentimentContext } from './sentimentTask.ts';

export interface WordPretraining {
  /** (words, d) */
  vectors: Float32Array;
  /** Loss of each epoch. */
  losses: number[];
}

/**
 * Word2vec on a corpus, the pretraining of that number, from a seed of its own drawn from the run's. In one thread: equal seeds
 * give equal bits. Throws RUN_FAILED where the loss is not finite.
 */
export async function pretrainWords(
  { parameters, seed, cancellation }: SentimentContext,
  { corpus, number, onEpoch }: { corpus: Corpus; number: number; onEpoch: (epoch: number, loss: number) => void },
): Promise<WordPretraining> {
  const { word2vec, dimension } = parameters;
  const own = randomGenerator(seed, `pretraining ${number}`).nextUint32();
  const settings = { ...word2vec, dimension, weightDecay: 0 };
  return trainWordVectors(corpus, settings, {
    seed: own,
    threads: 1,
    path: 'parameters.word2vec.learningRate',
    pulse: () => cancellation.throwIfCancelled(),
    onEpoch: ({ epoch, loss }) => onEpoch(epoch, loss),
    test: async (trained, losses) => ({ vectors: trained.vectors(), losses: [...losses] }),
  });
}
