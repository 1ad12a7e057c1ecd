import { WarrenError } from '#src/contracts/errors.ts';
import type { Corpus } from '#workers/features/wordVectorPlan.ts';
import { WordVectors } from '#workers/features/wordVectors.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
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
  const training = await WordVectors.open(corpus, settings, { seed: own, threads: 1 });
  try {
    const losses: number[] = [];
    while (losses.length < word2vec.epochs) {
      const { epoch, loss } = training.epoch(() => cancellation.throwIfCancelled());
      if (!Number.isFinite(loss)) {
        throw new WarrenError(
          'RUN_FAILED',
          `word2vec diverged in epoch ${epoch}: the loss is ${loss}. Choose a smaller learningRate than ${word2vec.learningRate}`,
          { path: 'parameters.word2vec.learningRate' },
        );
      }
      losses.push(loss);
      onEpoch(epoch, loss);
    }
    return { vectors: training.vectors(), losses };
  } finally {
    await training.close();
  }
}
