import { z } from 'zod';
import { WarrenError } from '#src/base/contracts/errors.ts';
import type { TrainingPart } from '../data/split/trainingPart.ts';
import { embeddingRanking } from '../evaluation/embeddings/embeddingRanking.ts';
import { firstTargets } from '../evaluation/ranking/heldOut.ts';
import { type IalsModel, ialsLoss, type IalsOptions, type Meetings, solveIalsRows } from '../models/ials.ts';
import { incidence } from '../models/incidence.ts';
import type { NumericThreads } from '../wasm/threads/numericThreads.ts';
import { decodeCheckpoint, encodeCheckpoint } from './checkpointFile.ts';
import { factorTables } from './factorRecommender.ts';
import type { TrainedRecommender } from './trainRecommender.ts';

interface IalsState {
  epoch: number;
  model: IalsModel;
  best: { epoch: number; score: number; model: IalsModel } | null;
  /** Validations since the best. */
  waited: number;
}

export interface IalsTraining {
  threads: NumericThreads;
  options: IalsOptions;
  /** Validations without a better one after which it ends, and the best is tested; 0 for all epochs and the last. */
  patience: number;
  /** Called every few milliseconds; may throw to stop. */
  pulse(): void;
}

/**
 * iALS as a recommender: an epoch solves all users, then all items. Whoever is ranked for is solved anew from its history, so what
 * validates is part of the test input. Leaves the rows of users and items.
 */
export function ialsRecommender(
  start: IalsModel,
  training: TrainingPart,
  { threads, options, patience, pulse }: IalsTraining,
): TrainedRecommender {
  const { dimension } = start;
  const met = incidence(training);
  const byUser = { offsets: met.userOffsets, columns: met.userItems.subarray(0, met.userOffsets.at(-1)) };
  const byItem = { offsets: met.itemOffsets, columns: met.itemUsers };
  const state: IalsState = { epoch: 0, model: start, best: null, waited: 0 };
  const solve = (meetings: Meetings, others: Float64Array): Float64Array =>
    solveIalsRows(threads, { meetings, others, dimension, options }, pulse);
  const isOutOfPatience = (): boolean => patience > 0 && state.waited >= patience;
  return {
    get epoch() {
      return state.epoch;
    },
    get best() {
      return state.best;
    },
    trainEpoch: async () => {
      const users = solve(byUser, state.model.items);
      state.model = { dimension, users, items: solve(byItem, users) };
      state.epoch++;
      return { loss: ialsLoss(state.model, { byUser, byItem }, options), tokens: null };
    },
    check: async ({ loss }) => {
      if (Number.isFinite(loss)) return;
      throw new WarrenError(
        'RUN_FAILED',
        `the rows of epoch ${state.epoch} have no finite loss (${loss}): the systems are singular within rounding; a larger regularization than ${options.regularization} is needed`,
        { path: 'parameters.regularization' },
      );
    },
    measure: async () => ({}),
    noteScore: async (score) => {
      if (patience === 0) return false;
      if (state.best === null || score > state.best.score) {
        // rows are never changed in place
        state.best = { epoch: state.epoch, score, model: state.model };
        state.waited = 0;
      } else {
        state.waited++;
      }
      return isOutOfPatience();
    },
    isOutOfPatience,
    save: async () => encodeIals(state),
    restore: (bytes) => {
      const saved = decodeIals(bytes, start);
      if (saved === null) return false;
      Object.assign(state, saved);
      return true;
    },
    takeBest: () => {
      if (state.best !== null) state.model = state.best.model;
      return state.best?.epoch ?? state.epoch;
    },
    dispose: () => undefined,
    scorer: {
      rank: async (part, { listLength }) => {
        const histories = Array.from(part.users, (_, index) => part.history(index));
        const users = Float32Array.from(solve(meetingsOf(histories), state.model.items));
        return embeddingRanking(
          { users, items: Float32Array.from(state.model.items), dimension },
          {
            users: Uint32Array.from(histories.keys()),
            targets: firstTargets(part),
            excluded: (query: number) => part.excluded(query),
            listLength: Math.max(1, listLength),
            betweenQueries: pulse,
          },
          threads.kernels.lanes,
        );
      },
    },
    embeddings: async () => {
      const { users, items } = state.model;
      return factorTables({ dimension, users: Float32Array.from(users), items: Float32Array.from(items) });
    },
  };
}

function meetingsOf(histories: readonly Uint32Array[]): Meetings {
  const sets = histories.map((history) => [...new Set(history)]);
  const offsets = new Uint32Array(sets.length + 1);
  for (const [row, { length }] of sets.entries()) offsets[row + 1] = offsets[row]! + length;
  return { offsets, columns: Uint32Array.from(sets.flat()) };
}

const valuesSchema = z.object({
  trainer: z.literal('ials-1'),
  epoch: z.int().min(0),
  waited: z.int().min(0),
  best: z.object({ epoch: z.int().min(0), score: z.number() }).nullable(),
});

/** Doubles as the words that they are made of, and back. */
const wordsOf = (values: Float64Array): Float32Array => new Float32Array(values.slice().buffer);
const doublesOf = (words: Float32Array): Float64Array => new Float64Array(words.slice().buffer);

function encodeIals({ epoch, model, best, waited }: IalsState): Uint8Array {
  const values: z.input<typeof valuesSchema> = {
    trainer: 'ials-1',
    epoch,
    waited,
    best: best === null ? null : { epoch: best.epoch, score: best.score },
  };
  const models = best === null ? [model] : [model, best.model];
  return encodeCheckpoint({ values, arrays: models.flatMap(({ users, items }) => [wordsOf(users), wordsOf(items)]) });
}

/** Null where the file is damaged or belongs to rows of another shape. */
function decodeIals(file: Uint8Array, { dimension, users, items }: IalsModel): IalsState | null {
  const found = decodeCheckpoint(file);
  const values = valuesSchema.safeParse(found?.values);
  if (found === null || !values.success) return null;
  const modelAt = (index: number): IalsModel | null => {
    const [first, second] = found.arrays.slice(index, index + 2);
    if (first?.length !== 2 * users.length || second?.length !== 2 * items.length) return null;
    return { dimension, users: doublesOf(first), items: doublesOf(second) };
  };
  const { epoch, waited, best } = values.data;
  const model = modelAt(0);
  const bestModel = best === null ? null : modelAt(2);
  if (model === null || (best !== null && bestModel === null)) return null;
  return { epoch, waited, model, best: best === null || bestModel === null ? null : { ...best, model: bestModel } };
}
