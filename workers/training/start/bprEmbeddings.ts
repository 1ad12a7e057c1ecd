import { bprLearner } from '../bprLearner.ts';
import { initBpr } from '../bprTraining.ts';
import { quietObserver, train } from '../trainLoop.ts';
import type { StartMethod } from './startRequest.ts';

/** Matrix factorization by BPR, whose embeddings start from deviation 0.01 (LEPORID, Section 5.2 and Appendix F). */
export const bprEmbeddings: StartMethod = async (
  { reporter, cancellation, seed },
  { part, dimension, settings, sides },
) => {
  const { epochs, ...learning } = settings.bpr;
  const { userCount, itemCount } = part.dataset;
  const state = initBpr({ userCount, itemCount, dimension }, { initialDeviation: 0.01, seed });
  const pulse = (): void => cancellation.throwIfCancelled();
  const learner = bprLearner(state, part, { ...learning, patience: 0, path: 'parameters.bpr.learningRate', pulse });
  const progress = (fraction: number, message: string): void => reporter.progress(fraction, `bpr ${message}`);
  const start = performance.now();
  await train(learner, {
    epochs,
    observer: quietObserver({ progress }),
    test: async () => undefined,
  });
  reporter.timing('embed', (performance.now() - start) / 1000);
  return Object.fromEntries(sides.map((side) => [side, { vectors: Float64Array.from(state.model[side]) }]));
};
