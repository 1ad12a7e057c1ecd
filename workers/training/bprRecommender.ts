import type { TrainingPart } from '../data/split/trainingPart.ts';
import { factorScorer } from '../models/factorScorer.ts';
import { bprLearner, type BprLearning } from './bprLearner.ts';
import type { BprState } from './bprTraining.ts';
import { factorTables } from './factorRecommender.ts';
import type { TrainingContext } from './trainingContext.ts';
import type { TrainedRecommender } from './trainRecommender.ts';

/** Matrix factorization trained a triple at a time as a recommender, which leaves its embeddings. */
export function bprRecommender(
  {
    parameters,
    compute: { threads },
    cancellation,
  }: Pick<TrainingContext, 'compute' | 'cancellation'> & {
    parameters: Pick<BprLearning, 'learningRate' | 'regularization' | 'patience'>;
  },
  state: BprState,
  training: TrainingPart,
): TrainedRecommender {
  const pulse = (): void => cancellation.throwIfCancelled();
  const learner = bprLearner(state, training, { ...parameters, path: 'parameters.learningRate', pulse });
  return Object.assign(learner, {
    scorer: factorScorer(() => state.model, { threads, pulse }),
    embeddings: async () => factorTables(state.model),
  });
}
