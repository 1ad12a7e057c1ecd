import { WarrenError } from '#src/contracts/errors.ts';
import type { TrainingPart } from '../data/split/trainingPart.ts';
import { factorScorer } from '../models/factorScorer.ts';
import { decodeBprState, encodeBprState } from './bprCheckpoint.ts';
import { bprData, bprEpoch, type BprState, noteValidation } from './bprTraining.ts';
import { factorTables } from './factorRecommender.ts';
import type { TrainingContext } from './trainingContext.ts';
import type { TrainedRecommender } from './trainRecommender.ts';

export interface BprParameters {
  learningRate: number;
  regularization: number;
  /** The best embeddings are kept and tested where it is above 0. */
  patience: number;
}

/** Matrix factorization trained a triple at a time, changing `state` in place. */
export function bprRecommender(
  {
    parameters,
    threads,
    cancellation,
  }: Pick<TrainingContext, 'threads' | 'cancellation'> & { parameters: BprParameters },
  state: BprState,
  training: TrainingPart,
): TrainedRecommender {
  const { learningRate, regularization, patience } = parameters;
  const data = bprData(training);
  const pulse = (): void => cancellation.throwIfCancelled();
  const hasWaited = (): boolean => patience > 0 && state.waited >= patience;
  return {
    get epoch() {
      return state.epoch;
    },
    get bestEpoch() {
      return state.best?.epoch ?? null;
    },
    scorer: factorScorer(() => state.model, { threads, pulse }),
    trainEpoch: async () => ({ loss: bprEpoch(state, data, { learningRate, regularization, pulse }), tokens: null }),
    check: async ({ loss }) => {
      if (Number.isFinite(loss)) return;
      const { users, items } = state.model;
      throw new WarrenError(
        'RUN_FAILED',
        `training diverged in epoch ${state.epoch}: the loss is ${loss}. Choose a smaller learningRate than ${learningRate}. Norms after it: users ${normOf(users)}, items ${normOf(items)}`,
        { path: 'parameters.learningRate' },
      );
    },
    measure: async () => ({}),
    noteScore: async (score) => noteValidation(state, score, patience),
    hasWaited,
    save: async () => encodeBprState(state),
    restore: (bytes) => {
      const { dimension, users, items } = state.model;
      const shape = { dimension, userCount: users.length / dimension, itemCount: items.length / dimension };
      const saved = decodeBprState(bytes, shape);
      if (saved === null) return false;
      Object.assign(state, saved);
      return true;
    },
    takeBest: () => {
      if (state.best !== null) state.model = state.best.model;
      return state.best?.epoch ?? state.epoch;
    },
    embeddings: async () => factorTables(state.model),
  };
}

function normOf(values: Float32Array): string {
  return Math.sqrt(values.reduce((sum, value) => sum + value * value, 0)).toPrecision(4);
}
