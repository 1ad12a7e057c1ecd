import { interactionGraph } from '#workers/graphs/interactionGraph.ts';
import { randomWalks } from '#workers/graphs/randomWalks.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { quietObserver } from '../trainLoop.ts';
import { trainWordVectors } from '../trainWordVectors.ts';
import { bothSides, type StartMethod } from './startRequest.ts';

/** node2vec on the bipartite graph of users and items (LEPORID, Section 5.2 and Appendix F); in one thread, so that it repeats. */
export const node2VecEmbeddings: StartMethod = async (
  { reporter, cancellation, seed },
  { part, dimension, settings },
) => {
  const { walkLength, walks, p, q, window, negatives, epochs, learningRate } = settings.node2vec;
  const start = performance.now();
  const pulse = (): void => cancellation.throwIfCancelled();
  const graph = interactionGraph({ dataset: part.dataset, ends: part.trainEnd });
  const request = { length: walkLength, walks, returning: p, leaving: q, pulse };
  const { offsets, nodes } = randomWalks(graph, request, randomGenerator(seed, 'node2vec walks'));
  reporter.timing('graph', (performance.now() - start) / 1000);
  const learning = performance.now();
  const skipGram = {
    model: 'skip-gram',
    shrinkWindow: true,
    weightDecay: 0,
    subsample: 0,
    negativePower: 0.75,
  } as const;
  const progress = (fraction: number, message: string): void => reporter.progress(fraction, `node2vec ${message}`);
  const vectors = await trainWordVectors(
    { offsets, tokens: nodes, words: graph.rowCount },
    { ...skipGram, window, negatives, dimension, epochs, learningRate, finalLearningRate: learningRate / 250 },
    {
      seed,
      threads: 1,
      path: 'parameters.node2vec.learningRate',
      pulse,
      observer: quietObserver({ progress }),
      test: async (trained) => Float64Array.from(trained.vectors()),
    },
  );
  reporter.timing('embed', (performance.now() - learning) / 1000);
  return bothSides(vectors, { part, dimension });
};
