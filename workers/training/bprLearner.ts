import { WarrenError } from '#src/base/contracts/errors.ts';
import type { TrainingPart } from '../data/split/trainingPart.ts';
import { decodeBprState, encodeBprState } from './bprCheckpoint.ts';
import { bprData, bprEpoch, type BprState, noteValidation } from './bprTraining.ts';
import type { Learner } from './trainLoop.ts';

export interface BprLearning {
  learningRate: number;
  regularization: number;
  /** The best embeddings are kept and tested where it is above 0. */
  patience: number;
  /** Where the learning rate stands among the parameters. */
  path: string;
  /** Called every few milliseconds; may throw to stop. */
  pulse(): void;
}

/** Matrix factorization trained a triple at a time, changing `state` in place. */
export function bprLearner(
  state: BprState,
  training: TrainingPart,
  { learningRate, regularization, patience, path, pulse }: BprLearning,
): Learner {
  const data = bprData(training);
  return {
    get epoch() {
      return state.epoch;
    },
    get best() {
      return state.best;
    },
    trainEpoch: async () => ({ loss: bprEpoch(state, data, { learningRate, regularization, pulse }), tokens: null }),
    check: async ({ loss }) => {
      if (Number.isFinite(loss)) return;
      const { users, items } = state.model;
      throw new WarrenError(
        'RUN_FAILED',
        `training diverged in epoch ${state.epoch}: the loss is ${loss}. Choose a smaller learningRate than ${learningRate}. Norms after it: users ${normOf(users)}, items ${normOf(items)}`,
        { path },
      );
    },
    measure: async () => ({}),
    noteScore: async (score) => noteValidation(state, score, patience),
    isOutOfPatience: () => patience > 0 && state.waited >= patience,
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
    dispose: () => undefined,
  };
}

function normOf(values: Float32Array): string {
  return Math.sqrt(values.reduce((sum, value) => sum + value * value, 0)).toPrecision(4);
}
